// Package layout tells why an element is not where it should be, or does not look as
// it should. It is a table of rules over one measured snapshot of a document: pure
// functions, no I/O. The page bridge measures (extension/src/page/layout), package
// page carries, package command gives the elements their refs and the declarations
// their place in the sources.
//
// Adding a rule is adding a row to Rules and a page that shows it
// (test/pages/files/layout), with one beside it that nearly does.
package layout
