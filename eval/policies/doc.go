// Package policies compares the rules of gate/rule with Cedar and CEL. It shows how
// each treats the values of tools' arguments, and the cost of a decision. It is a
// separate module, so that neither engine is among the product's dependencies.
//
// docs/policy.md quotes what `make policies` prints.
package policies
