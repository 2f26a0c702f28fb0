package layout

var accessRules = []Rule{}
