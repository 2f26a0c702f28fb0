package layout

var sizeRules = []Rule{}
