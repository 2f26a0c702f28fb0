package layout

var mediaRules = []Rule{}
