package doctor

import (
	"slices"
	"time"
)

// Disk is what lies on this computer of the way to a browser, where no browser is
// connected. No daemon is asked.
type Disk struct {
	Found      bool   // a browser is in one of the usual places, or was named to install
	Registered bool   // one of them finds the native host
	Unpacked   string // folder of the extension; empty where it is not there
	Broken     Hop    // the first hop that fails; its zero value where none does
}

// Files examines the manifests and the unpacked extension.
func Files(env Env) Disk {
	x := &examination{env: env}
	if x.env.Now == nil {
		x.env.Now = time.Now
	}
	x.manifests()
	x.extension()
	var disk Disk
	for _, hop := range x.report.Hops {
		switch {
		case hop.Hop == "manifest":
			disk.Found = disk.Found || hop.Subject != ""
			disk.Registered = disk.Registered || hop.Code == ""
		case hop.Status != Fail:
			disk.Unpacked = env.Machine.Layout.Extension
		}
	}
	if at := slices.IndexFunc(x.report.Hops, func(hop Hop) bool { return hop.Status == Fail }); at >= 0 {
		disk.Broken = x.report.Hops[at]
	}
	return disk
}
