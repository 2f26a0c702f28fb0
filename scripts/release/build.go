package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/extension"
	"github.com/debug-bridge/debug-bridge/scripts/licenses"
)

type platform struct{ system, arch string }

func (p platform) String() string { return p.system + "/" + p.arch }

var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}

// shipped are the packages of the programs.
var shipped = []string{"./host/cmd/..."}

// commit is what is built.
type commit struct {
	hash string
	at   time.Time
}

func commitOf(root string) (commit, error) {
	output, err := output(root, nil, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return commit{}, err
	}
	var c commit
	var seconds int64
	if _, err := fmt.Sscan(string(output), &c.hash, &seconds); err != nil {
		return commit{}, fmt.Errorf("git log says %q: %w", output, err)
	}
	c.at = time.Unix(seconds, 0).UTC()
	return c, nil
}

// flags of go build: no paths of the machine, no time, no id of the build, no signs of the work tree.
func flags(c commit) []string {
	return []string{"-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid= -X github.com/debug-bridge/debug-bridge/host/internal/version.Commit=" + c.hash}
}

// build makes all files of a release in a folder that it makes, and gives them by name.
// fresh is without the caches and the home of this machine; the modules' sources are taken as they are,
// which go.sum vouches for.
func build(root string, c commit, place string, fresh bool, wanted []platform, programs []string) (map[string][]byte, error) {
	source := filepath.Join(place, "source")
	if err := export(root, source, c); err != nil {
		return nil, err
	}
	modules, err := licenses.Modules(source, shipped)
	if err != nil {
		return nil, err
	}
	notices := noticesOf(modules)
	license, err := os.ReadFile(filepath.Join(source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	cache, err := output(root, nil, "go", "env", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	version := extension.Version()
	for _, p := range wanted {
		env := append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.system, "GOARCH="+p.arch, "GOFLAGS=", "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0", "GOMODCACHE="+strings.TrimSpace(string(cache)))
		if fresh {
			env = append(env, "HOME="+filepath.Join(place, "home"), "GOCACHE="+filepath.Join(place, "cache"))
		}
		parts := []part{{"LICENSE", license, false}, {"THIRD_PARTY_LICENSES.txt", notices, false}}
		for _, program := range programs {
			name := program
			if p.system == "windows" {
				name += ".exe"
			}
			made := filepath.Join(place, "made", p.system, p.arch, name)
			args := append([]string{"build"}, flags(c)...)
			if _, err := output(source, env, "go", append(args, "-o", made, "./host/cmd/"+program)...); err != nil {
				return nil, err
			}
			data, err := os.ReadFile(made)
			if err != nil {
				return nil, err
			}
			parts = append(parts, part{name, data, true})
		}
		base := fmt.Sprintf("dbridge-%s-%s-%s", version, p.system, p.arch)
		if p.system == "windows" {
			files[base+".zip"], err = zipped(parts, c.at)
		} else {
			files[base+".tar.gz"], err = tarred(base, parts, c.at)
		}
		if err != nil {
			return nil, err
		}
	}
	parts, err := folder(os.DirFS(filepath.Join(source, "extension", "dist")))
	if err != nil {
		return nil, err
	}
	if files["debug-bridge-extension-"+version+".zip"], err = zipped(parts, c.at); err != nil {
		return nil, err
	}
	if files["sbom.spdx.json"], err = sbom(source, version, c, modules); err != nil {
		return nil, err
	}
	return files, nil
}

// export writes the files of the commit.
func export(root, to string, c commit) error {
	data, err := output(root, nil, "git", "archive", "--format=tar", c.hash)
	if err != nil {
		return err
	}
	reader := tar.NewReader(bytes.NewReader(data))
	for {
		head, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !filepath.IsLocal(head.Name) {
			return fmt.Errorf("the commit has a file %q", head.Name)
		}
		name := filepath.Join(to, head.Name)
		switch head.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(name, 0o755)
		case tar.TypeReg:
			var content []byte
			if content, err = io.ReadAll(reader); err == nil {
				err = errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, content, 0o644))
			}
		}
		if err != nil {
			return err
		}
	}
}

// folder gives the files of a folder, in order.
func folder(from fs.FS) ([]part, error) {
	var parts []part
	err := fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(from, name)
		parts = append(parts, part{name, data, false})
		return err
	})
	return parts, err
}

// noticesOf joins the licences of the modules in the program.
func noticesOf(modules []licenses.Module) []byte {
	var out strings.Builder
	out.WriteString("Debug Bridge holds code of these modules. What its extension holds is told in THIRD_PARTY_LICENSES.txt of the extension.\n")
	for _, m := range modules {
		fmt.Fprintf(&out, "\n%s %s (%s)\n\n%s\n", m.Path, m.Version, m.License, m.Text)
	}
	return []byte(out.String())
}

// output runs a program in a folder; nil is this process's environment.
func output(dir string, env []string, name string, args ...string) ([]byte, error) {
	command := exec.Command(name, args...)
	command.Dir, command.Env = dir, env
	var failure strings.Builder
	command.Stderr = &failure
	data, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", name, args[0], err, strings.TrimSpace(failure.String()))
	}
	return data, nil
}

// remove takes a folder away with the read-only files of Go's caches.
func remove(dir string) {
	_ = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			return os.Chmod(name, 0o755)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}
