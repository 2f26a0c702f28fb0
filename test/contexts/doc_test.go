// Package contexts tests many callers at once, as whole processes over real browsers.
package contexts
