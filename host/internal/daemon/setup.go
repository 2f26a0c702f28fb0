package daemon

import (
	"context"

	"github.com/debug-bridge/debug-bridge/extension"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/doctor"
	"github.com/debug-bridge/debug-bridge/host/internal/install"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// setup tells commands what stands between this daemon and the person's Chrome. Files
// are looked at only where no browser is connected: then they are good enough.
func (d *Daemon) setup(context.Context) (command.Setup, error) {
	out := command.Setup{Since: d.started}
	for _, b := range d.browsers.list() {
		hello := b.Hello()
		name := hello.Browser
		if hello.Name != "" {
			name = hello.Name
		}
		out.Browsers = append(out.Browsers, name)
	}
	if len(out.Browsers) > 0 {
		return out, nil
	}
	h := d.home
	machine, err := install.ThisMachine(install.NewLayout(h.Root, h.Run, h.State, h.Extension, h.Socket()), extension.Files(), version.Version)
	if err != nil {
		return out, err
	}
	disk := doctor.Files(doctor.Env{Machine: machine})
	out.Found, out.Registered, out.Extension = disk.Found, disk.Registered, disk.Unpacked
	out.Broken, out.Fix = disk.Broken.Line, disk.Broken.Fix
	return out, nil
}
