// Package policies compares the rules of gate/rule with Cedar and CEL: what each
// makes of the values that arguments of tools have, and what a decision costs. It is
// a module of its own, so that neither engine is among the product's dependencies.
//
// docs/policy.md quotes what `make policies` prints.
package policies
