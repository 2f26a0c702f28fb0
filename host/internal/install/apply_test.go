package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/manifests"
)

// realMachine is this machine with a home of its own that holds the given browsers.
func realMachine(t *testing.T, version string, browsers ...string) Env {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("applies on Unix; Windows plans are tested as plans")
	}
	home := t.TempDir()
	env := Env{
		GOOS: runtime.GOOS, Home: home, Vars: map[string]string{}, FS: diskFS{},
		Executable: filepath.Join(home, "bin", "dbridge"),
		Layout: Layout{
			Extension: filepath.Join(home, "data", "debug-bridge", "extension"),
			State:     filepath.Join(home, "state", "debug-bridge"),
			Run:       filepath.Join(home, "run", "debug-bridge"),
		},
		Extension: sampleExtension(version), Version: version,
	}
	for _, dir := range []string{"bin", "data", "state", "run"} {
		must(t, os.MkdirAll(filepath.Join(home, dir), 0o755))
	}
	must(t, os.WriteFile(env.Executable, []byte("#!/bin/sh\n"), 0o755))
	for _, row := range manifests.For(env.GOOS) {
		if slices.Contains(browsers, row.Browser) {
			must(t, os.MkdirAll(env.Dir(row.Found[0]), 0o700))
		}
	}
	return env
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tree lists everything below dir with mode and content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, content := strings.TrimPrefix(path, dir), ""
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = string(data)
		}
		out[name] = info.Mode().String() + " " + content
		return nil
	}))
	return out
}

func same(t *testing.T, what string, before, after map[string]string) {
	t.Helper()
	for name, value := range after {
		if old, ok := before[name]; !ok {
			t.Errorf("%s: new: %s", what, name)
		} else if old != value {
			t.Errorf("%s: changed: %s\nfrom %s\nto   %s", what, name, old, value)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			t.Errorf("%s: lost: %s", what, name)
		}
	}
}

func TestRunAndUndoOnADisk(t *testing.T) {
	env := realMachine(t, "0.1.0", "chrome", "chromium", "opera")
	ctx := context.Background()
	before := tree(t, env.Home)

	dry, err := Run(ctx, Options{Env: &env, DryRun: true})
	must(t, err)
	same(t, "dry run", before, tree(t, env.Home))
	if !dry.Planned || dry.Changes == 0 || !strings.Contains(dry.Text(), "Nothing was done") {
		t.Errorf("dry run: %s", dry.Text())
	}

	var shown Report
	report, err := Run(ctx, Options{Env: &env, Show: func(r Report) {
		shown = r
		same(t, "while the plan is shown", before, tree(t, env.Home))
	}})
	must(t, err)
	if !shown.Planned || shown.Changes != report.Changes || report.UpToDate {
		t.Errorf("shown %d changes, made %d", shown.Changes, report.Changes)
	}
	for _, browser := range report.Browsers {
		for _, file := range browser.Manifests {
			data, err := os.ReadFile(file)
			must(t, err)
			host, err := manifests.Parse(data)
			if err != nil || host.Path != env.Executable || !host.Allows(manifests.ExtensionID) {
				t.Errorf("%s: %+v, %v", file, host, err)
			}
			info, err := os.Stat(file)
			must(t, err)
			folder, err := os.Stat(filepath.Dir(file))
			must(t, err)
			if info.Mode() != 0o644 || folder.Mode().Perm() != 0o755 {
				t.Errorf("%s: mode %v in %v", file, info.Mode(), folder.Mode())
			}
		}
	}
	if !env.OwnExtension(env.Layout.Extension) {
		t.Error("the extension was not unpacked")
	}
	if text := report.Text(); !strings.Contains(text, "4. Choose "+env.Layout.Extension) || strings.Contains(text, "\x1b") {
		t.Errorf("text does not say how to load the extension:\n%s", text)
	}
	if _, err := json.Marshal(report); err != nil {
		t.Error(err)
	}

	installed := tree(t, env.Home)
	again, err := Run(ctx, Options{Env: &env})
	must(t, err)
	same(t, "second run", installed, tree(t, env.Home))
	if !again.UpToDate || !strings.Contains(again.Text(), "Up to date") {
		t.Errorf("second run: %s", again.Text())
	}

	running := 2 // something starts the daemon once more
	undone, err := Undo(ctx, Options{Env: &env, Stop: func(context.Context) (bool, error) {
		running--
		return running >= 0, nil
	}})
	must(t, err)
	same(t, "after uninstall", before, tree(t, env.Home))
	if running != -1 {
		t.Errorf("the daemon was asked to stop %d times", 2-running)
	}
	for _, want := range []string{"stop daemon", manifests.FileName, "chrome://extensions"} {
		if !strings.Contains(undone.Text(), want) {
			t.Errorf("no %q in the list:\n%s", want, undone.Text())
		}
	}
	nothing, err := Undo(ctx, Options{Env: &env, Stop: func(context.Context) (bool, error) { return false, nil }})
	must(t, err)
	if !nothing.UpToDate || !strings.Contains(nothing.Text(), "Nothing to remove") {
		t.Errorf("second uninstall: %s", nothing.Text())
	}
}

// TestUpdateReplacesAsAWhole fails an update at every single write: each file is the old or the new one, whole.
func TestUpdateReplacesAsAWhole(t *testing.T) {
	ctx := context.Background()
	for failing := 0; ; failing++ {
		env := realMachine(t, "0.1.0", "chrome", "chromium")
		_, err := Run(ctx, Options{Env: &env})
		must(t, err)
		old := tree(t, env.Home)
		// A new version at another path: every file changes.
		env.Extension, env.Version = sampleExtension("0.2.0"), "0.2.0"
		env.Executable = filepath.Join(env.Home, "bin", "dbridge-2")
		must(t, os.WriteFile(env.Executable, []byte("#!/bin/sh\n"), 0o755))
		old["/bin/dbridge-2"] = "-rwxr-xr-x #!/bin/sh\n"
		fresh := realMachine(t, "0.2.0", "chrome", "chromium")

		plan, err := PlanInstall(env, Choice{})
		must(t, err)
		count := 0
		status, err := applier{extension: env.Extension, fail: func(Kind, string) error {
			if count++; count-1 == failing {
				return syscall.ENOSPC
			}
			return nil
		}}.apply(ctx, plan.Steps)
		if count <= failing {
			must(t, err)
			if failing < 5 {
				t.Fatalf("only %d places to fail at", failing)
			}
			return
		}
		f := fault.From(err)
		if f == nil || f.Code != fault.FileAccessFailed || f.Details["path"] == nil || !strings.Contains(strings.Join(f.Suggestions, " "), "disk space") {
			t.Fatalf("failure %d: %v", failing, err)
		}
		if !slices.Contains(status, Failed) {
			t.Errorf("failure %d: status %v", failing, status)
		}
		after := tree(t, env.Home)
		newManifest, err := manifests.New(env.Executable).Encode()
		must(t, err)
		for name, value := range after {
			isNew := strings.HasSuffix(name, manifests.FileName) && value == "-rw-r--r-- "+string(newManifest) ||
				strings.Contains(name, "/extension/") && value == newExtensionFile(t, fresh, name)
			if old[name] != value && !isNew {
				t.Errorf("failure %d: %s is neither old nor new: %q", failing, name, value)
			}
		}
		for name := range old {
			if _, ok := after[name]; !ok {
				t.Errorf("failure %d: lost %s", failing, name)
			}
		}
		if version := extensionVersionsMixed(after); version != "" {
			t.Errorf("failure %d: the extension is a mix: %s", failing, version)
		}
	}
}

func newExtensionFile(t *testing.T, env Env, name string) string {
	t.Helper()
	_, file, _ := strings.Cut(name, "/extension/")
	data, err := fs.ReadFile(env.Extension, file)
	if err != nil {
		return ""
	}
	return "-rw-r--r-- " + string(data)
}

func extensionVersionsMixed(files map[string]string) string {
	var manifest, worker string
	for name, value := range files {
		if strings.HasSuffix(name, "/extension/manifest.json") {
			manifest = value
		}
		if strings.HasSuffix(name, "/extension/background.js") {
			worker = value
		}
	}
	if strings.Contains(manifest, "0.2.0") != strings.Contains(worker, "0.2.0") {
		return manifest + " / " + worker
	}
	return ""
}

func TestSwapByRename(t *testing.T) {
	dir := t.TempDir()
	fresh, target := filepath.Join(dir, "fresh"), filepath.Join(dir, "target")
	for _, d := range []string{fresh, target} {
		must(t, os.Mkdir(d, 0o755))
		must(t, os.WriteFile(filepath.Join(d, "name"), []byte(filepath.Base(d)), 0o644))
	}
	must(t, swapByRename(fresh, target))
	if data, err := os.ReadFile(filepath.Join(target, "name")); err != nil || string(data) != "fresh" {
		t.Errorf("%s, %v", data, err)
	}
	// Nothing to swap in: the old one goes back to its place.
	if err := swapByRename(filepath.Join(dir, "missing"), target); err == nil {
		t.Error("swapped in something that is not there")
	}
	if data, err := os.ReadFile(filepath.Join(target, "name")); err != nil || string(data) != "fresh" {
		t.Errorf("after the failed swap: %s, %v", data, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]string{
		fs.ErrPermission:     "owner",
		syscall.ENOSPC:       "disk space",
		syscall.EROFS:        "read-only",
		errors.New("whimsy"): "details.path",
	} {
		f := fault.From(explain(Step{Kind: Write, Path: "/p"}, &fs.PathError{Op: "open", Path: "/p", Err: err}))
		if f.Code != fault.FileAccessFailed || f.Details["path"] != "/p" || !strings.Contains(strings.Join(f.Suggestions, " "), want) {
			t.Errorf("%v: %+v", err, f)
		}
	}
}

func TestInterrupted(t *testing.T) {
	env := realMachine(t, "0.1.0", "chrome")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	before := tree(t, env.Home)
	report, err := Run(ctx, Options{Env: &env})
	if !errors.Is(err, fault.New(fault.Cancelled, "")) || report.Error == "" {
		t.Errorf("%v", err)
	}
	same(t, "interrupted", before, tree(t, env.Home))
}

func TestDaemonThatComesBack(t *testing.T) {
	env := realMachine(t, "0.1.0", "chrome")
	_, err := Run(context.Background(), Options{Env: &env})
	must(t, err)
	_, err = Undo(context.Background(), Options{Env: &env, Stop: func(context.Context) (bool, error) { return true, nil }})
	if !errors.Is(err, fault.New(fault.DaemonUnavailable, "")) {
		t.Errorf("%v", err)
	}
	refusal := fault.New(fault.DaemonUnavailable, "it does not answer")
	_, err = Undo(context.Background(), Options{Env: &env, Stop: func(context.Context) (bool, error) { return false, refusal }})
	if !errors.Is(err, refusal) || exists(env.recordPath()) == false {
		t.Errorf("%v; the record must stay for the next try", err)
	}
}

// TestFullAndReadOnlyDisk uses real file systems; it needs the right to mount.
func TestFullAndReadOnlyDisk(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("needs Linux and root to mount a small disk")
	}
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("mounting is not allowed here: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	env := realMachine(t, "0.1.0", "chrome")
	env.Layout = Layout{Root: disk, Extension: disk + "/extension", State: disk + "/state", Run: disk + "/run"}
	profile := disk + "/profile"
	_, err := Run(context.Background(), Options{Env: &env, Dir: profile})
	must(t, err)

	// Another path, so that the manifest has to be written anew.
	env.Executable = filepath.Join(env.Home, "bin", "dbridge-2")
	must(t, os.WriteFile(env.Executable, []byte("#!/bin/sh\n"), 0o755))
	for _, c := range []struct { // in this order: a read-only disk cannot be filled
		name    string
		prepare func() error
	}{
		{"full", func() error {
			err := os.WriteFile(disk+"/ballast", make([]byte, 1<<20), 0o600)
			if !errors.Is(err, syscall.ENOSPC) {
				return fmt.Errorf("the disk did not fill: %w", err)
			}
			return nil
		}},
		{"read-only", func() error { return exec.Command("mount", "-o", "remount,ro", disk).Run() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			must(t, c.prepare())
			before := tree(t, disk)
			report, err := Run(context.Background(), Options{Env: &env, Dir: profile})
			if f := fault.From(err); f == nil || f.Code != fault.FileAccessFailed || report.Error == "" || !strings.Contains(report.Text(), "Stopped") {
				t.Errorf("%v\n%s", err, report.Text())
			}
			same(t, c.name, before, tree(t, disk))
		})
	}
}

func TestTextOfPlans(t *testing.T) {
	t.Parallel()
	env := machine("linux", "chrome", "chromium")
	var out strings.Builder
	report, err := Run(context.Background(), Options{Env: &env, DryRun: true})
	must(t, err)
	out.WriteString(report.Text())
	carryOut(env, mustPlan(t, env))
	env.FS.(*memory).remove("/home/ann/.config/chromium/NativeMessagingHosts/" + manifests.FileName)
	report, err = Run(context.Background(), Options{Env: &env, DryRun: true})
	must(t, err)
	out.WriteString("\n----\n\n" + report.Text())
	report, err = Undo(context.Background(), Options{Env: &env, DryRun: true})
	must(t, err)
	out.WriteString("\n----\n\n" + report.Text())
	golden(t, "text.txt", out.String())
}

func mustPlan(t *testing.T, env Env) Plan {
	t.Helper()
	plan, err := PlanInstall(env, Choice{})
	must(t, err)
	return plan
}

func TestTextHidesControlCharacters(t *testing.T) {
	t.Parallel()
	env := machine("linux", "chrome")
	env.Executable = "/home/ann/\x1b[2Jevil\n/dbridge"
	env.FS.(*memory).put(env.Executable, nil, 0o755)
	report, err := Run(context.Background(), Options{Env: &env, DryRun: true})
	must(t, err)
	if strings.Contains(report.Text(), "\x1b") || strings.Contains(report.Text(), "evil\n") {
		t.Errorf("%q", report.Text())
	}
}

func TestThisMachine(t *testing.T) {
	env, err := ThisMachine(NewLayout("", "/r", "/s", "/e", "/elsewhere/daemon.sock"), sampleExtension("1"), "1")
	must(t, err)
	if env.GOOS != runtime.GOOS || env.Home == "" || !filepath.IsAbs(env.Executable) {
		t.Errorf("%+v", env)
	}
	if runtime.GOOS != "windows" && (env.Layout.Socket != "/elsewhere/daemon.sock" || NewLayout("", "/r", "/s", "/e", "/r/daemon.sock").Socket != "") {
		t.Errorf("%+v", env.Layout)
	}
	// The test binary is itself one that the Go tool will delete.
	if err := env.CheckExecutable(); err == nil || !strings.Contains(err.Error(), "go run") {
		t.Errorf("the test binary was accepted: %v", err)
	}
	if _, err := Run(context.Background(), Options{}); err == nil {
		t.Error("ran without knowing its folders")
	}
}
