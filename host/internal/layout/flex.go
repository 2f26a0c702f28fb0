package layout

var flexRules = []Rule{}
