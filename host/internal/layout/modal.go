package layout

var modalRules = []Rule{}
