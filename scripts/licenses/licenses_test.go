package licenses

import "testing"

func TestClassify(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"MIT License\n\nPermission is hereby granted, free of charge,\n to any person obtaining a copy of this   software and":                  "MIT",
		"Redistribution and use in source and binary forms, with or without … Neither the name of X may be used to endorse or promote products": "BSD-3-Clause",
		"Redistribution and use in source and binary forms, with or without modification, are permitted":                                        "BSD-2-Clause",
		"Permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted":                   "ISC",
		"GNU GENERAL PUBLIC LICENSE\nVersion 3\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software":  "",
		"You may not.": "",
		"":             "",
	} {
		if got, ok := Classify(text); got != want || ok != (want != "") {
			t.Errorf("%.40q is %q, want %q", text, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, expression string
		fine             bool
	}{
		{"a", "MIT", true}, {"a", "Apache-2.0 AND MIT", true}, {"a", "", false}, {"a", "GPL-3.0-only", false}, {"a", "MIT AND GPL-3.0-only", false},
		{"axe-core", "MPL-2.0", true}, {"a", "MPL-2.0", false},
	} {
		if problem := Check(c.name, c.expression); (problem == "") != c.fine {
			t.Errorf("%s with %q: %q", c.name, c.expression, problem)
		}
	}
}
