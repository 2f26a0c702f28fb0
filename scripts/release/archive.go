package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"time"
)

// part is a file in an archive.
type part struct {
	name string
	data []byte
	runs bool // a program
}

func (p part) mode() int64 {
	if p.runs {
		return 0o755
	}
	return 0o644
}

// ordered are the parts by name: an archive says nothing of the order they came in.
func ordered(parts []part) []part {
	parts = slices.Clone(parts)
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return parts
}

// tarred is a .tar.gz with all in one folder. Every file has the same time and no owner.
func tarred(folder string, parts []part, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression) // its own head has no time and no name
	if err != nil {
		return nil, err
	}
	archive := tar.NewWriter(packed)
	for _, p := range ordered(parts) {
		if err := archive.WriteHeader(&tar.Header{Name: folder + "/" + p.name, Mode: p.mode(), Size: int64(len(p.data)), ModTime: at, Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := archive.Write(p.data); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	if err := packed.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// zipped is a .zip; Windows and the Chrome Web Store take no other.
func zipped(parts []part, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, p := range ordered(parts) {
		head := &zip.FileHeader{Name: p.name, Method: zip.Deflate, Modified: at.UTC()}
		w, err := archive.CreateHeader(head)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(p.data); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
