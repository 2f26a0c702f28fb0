package layout

var stackRules = []Rule{}
