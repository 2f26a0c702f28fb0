// Package install puts the native messaging host's manifest where browsers look
// for it and unpacks the extension, and takes both away again.
//
// Everything is decided by PlanInstall and PlanUninstall, which only read and
// work for any operating system on any; Run and Undo show the plan and apply it
// to this machine. Files are replaced as a whole or not at all, a second run
// finds everything up to date, and nothing is written for a browser that is not
// there. The package does not print: Report has JSON tags and Text.
package install

import (
	"context"
	"io/fs"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/manifests"
)

// Options of Run and Undo.
type Options struct {
	Browser string // --browser: only this one
	Dir     string // --dir: a user data directory, instead of the browsers found
	System  bool   // --system: for all users
	DryRun  bool   // --dry-run: plan only

	Layout    Layout
	Extension fs.FS // the extension's files; Run only
	Version   string

	// Show, when set, gets the plan before anything is done.
	Show func(Report)
	// Stop ends the running daemon and says whether there was one; Undo only.
	Stop func(context.Context) (stopped bool, err error)
	// Env replaces this machine.
	Env *Env
}

// Run installs.
func Run(ctx context.Context, options Options) (Report, error) {
	return execute(ctx, options, PlanInstall)
}

// Undo takes everything away that Run made.
func Undo(ctx context.Context, options Options) (Report, error) {
	return execute(ctx, options, PlanUninstall)
}

func execute(ctx context.Context, options Options, plan func(Env, Choice) (Plan, error)) (Report, error) {
	env, err := options.env()
	if err != nil {
		return Report{}, err
	}
	made, err := plan(env, Choice{Browser: options.Browser, Dir: options.Dir, System: options.System})
	if err != nil {
		return Report{}, err
	}
	report := newReport(env, made, options)
	if options.Show != nil {
		options.Show(report)
	}
	if options.DryRun {
		return report, nil
	}
	status, err := applier{extension: env.Extension, registry: env.Registry, stop: options.Stop}.apply(ctx, made.Steps)
	report.finish(status, err)
	return report, err
}

func (o Options) env() (Env, error) {
	if o.Env != nil {
		return *o.Env, nil
	}
	if o.Layout.Extension == "" || o.Layout.State == "" || o.Layout.Run == "" {
		return Env{}, fault.New(fault.InternalError, "Debug Bridge's own folders are not known.")
	}
	return ThisMachine(o.Layout, o.Extension, o.Version)
}

// newReport is the report of a plan that nothing was done of yet.
func newReport(env Env, plan Plan, options Options) Report {
	report := Report{
		Action: plan.Action, Version: env.Version, DryRun: options.DryRun, Planned: true,
		Executable: env.Executable, ExtensionID: manifests.ExtensionID,
		Browsers: plan.Browsers, Notes: plan.Notes, Changes: plan.Changes(),
	}
	if !options.System {
		report.Extension = env.Layout.Extension
	}
	if report.Browsers == nil {
		report.Browsers = []Found{}
	}
	for _, step := range plan.Steps {
		status := Planned
		if step.UpToDate {
			status = Unchanged
		}
		report.Steps = append(report.Steps, StepReport{Step: step, Status: status})
	}
	report.Next = next(report, options)
	return report
}
