package layout

var hiddenRules = []Rule{}
