package model

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// costHeader is where LiteLLM's proxy reports what an exchange cost.
const costHeader = "X-Litellm-Response-Cost"

// price is a number as JSON, or a float printed by Python, writes one. What is
// negative, or longer than any price, is none.
var price = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9]{1,20})(?:\.([0-9]{1,40}))?(?:[eE]([+-]?[0-9]{1,2}))?$`)
})

// decimal is the same number without an exponent, every digit kept; "" where
// text is no price. Nothing here is computed from a list of prices.
func decimal(text string) string {
	m := price().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return ""
	}
	n, read := new(big.Rat).SetString(m[0])
	if !read {
		return ""
	}
	shift := 0
	if m[3] != "" {
		shift, _ = strconv.Atoi(m[3]) // two digits
	}
	return n.FloatString(max(0, len(m[2])-shift))
}
