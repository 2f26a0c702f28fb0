package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

type setup func(ctx context.Context, home *state.Home, options SetupOptions) (Report, error)

func (a *app) installCommand() *cobra.Command {
	return a.setupCommand(&cobra.Command{
		Use:   "install [flags]",
		Short: "Tell your browsers about Debug Bridge and unpack the extension",
		Long: `Tell your browsers about Debug Bridge: write the native messaging manifest of
each browser that is found, and unpack the extension. The plan is shown first.`,
		Example: "  dbridge install --dry-run --output text\n  dbridge install --browser chromium",
	}, func() setup { return a.deps.Install })
}

func (a *app) uninstallCommand() *cobra.Command {
	return a.setupCommand(&cobra.Command{
		Use:     "uninstall [flags]",
		Short:   "Undo install, stop the daemon and remove what it left",
		Example: "  dbridge uninstall --dry-run --output text",
	}, func() setup { return a.deps.Uninstall })
}

func (a *app) setupCommand(command *cobra.Command, which func() setup) *cobra.Command {
	options := SetupOptions{}
	command.GroupID, command.Args = groupSetUp, arguments()
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&options.Browser, "browser", "", "only this browser, by its `name`")
	flags.StringVar(&options.Dir, "dir", "", "a user data `directory`, instead of the browsers found")
	flags.BoolVar(&options.System, "system", false, "for all users of this machine")
	flags.BoolVar(&options.DryRun, "dry-run", false, "show the plan, change nothing")
	command.RunE = a.answer(func(ctx context.Context, _ []string) (any, string, error) {
		do := which()
		if do == nil {
			return nil, "", fault.New(fault.InternalError, "this build cannot %s", command.Name())
		}
		home, err := state.Open()
		if err != nil {
			return nil, "", err
		}
		options.Stop = func(ctx context.Context) (bool, error) {
			stopped, _, err := stopDaemon(ctx, home)
			return stopped, err
		}
		if a.printer.Format == output.Text && !options.DryRun {
			// Beside the answer, so that it is seen before anything is done.
			options.Show = func(plan Report) { a.printer.Note("%s", plan.Text()) }
		}
		report, err := do(ctx, home, options)
		if err != nil {
			f := fault.From(err)
			if report != nil {
				f.With("report", report)
			}
			return nil, "", f
		}
		return report, report.Text(), nil
	})
	return command
}

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		Short:   "Check every hop from manifest to page, and say what to fix",
		Example: "  dbridge doctor --output text",
		GroupID: groupSetUp,
		Args:    arguments(),
		RunE: a.answer(func(ctx context.Context, _ []string) (any, string, error) {
			if a.deps.Doctor == nil {
				return nil, "", fault.New(fault.InternalError, "this build has no doctor")
			}
			home, err := state.Open()
			if err != nil {
				return nil, "", err
			}
			report, err := a.deps.Doctor(ctx, home)
			if err != nil {
				f := fault.From(err)
				if report != nil {
					f.With("report", report)
					if a.printer.Format == output.Text {
						if err := a.printer.Raw([]byte(report.Text())); err != nil {
							return nil, "", err
						}
					}
				}
				return nil, "", f
			}
			return report, report.Text(), nil
		}),
	}
}
