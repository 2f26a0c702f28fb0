package layout

var pageRules = []Rule{}
