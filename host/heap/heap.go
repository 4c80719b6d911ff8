// Package heap asks the system for large pages for the first memory of the heap. A process
// that lives for some milliseconds otherwise spends a tenth of them on the first touch of
// small pages. To have an effect, it is initialized before the packages that allocate: it
// imports almost nothing.
//
// It vouches for nothing, and no result depends on it: a system without large pages
// refuses.
package heap
