package layout

var coverRules = []Rule{}
