package guard

import (
	"strings"
	"sync"
)

// turnMarks are the signs by which chat templates begin a turn, in lower case.
var turnMarks = []string{
	"<|im_start|>", "<|start_header_id|>", "<|system|>", "<|user|>", "<|assistant|>", "[inst]", "<<sys>>", "<system>", "</tool_result>", "</tool_response>", "</function_results>",
	"</tool_output>", "</document>", "</context>", "system message:", "system prompt:", "### system", "### instruction", "new instructions", "updated instructions", "revised instructions", "[system]", "human:", "assistant:", "\"role\":\"system\"", "\"role\": \"system\"",
}

// turnReach is how far behind a sign the sentence may begin that is its turn.
const turnReach = 16

var turnFinder = sync.OnceValue(func() *finder {
	var all []literalOf
	for i, m := range turnMarks {
		all = append(all, literalOf{m, i})
	}
	return newFinder(all)
})

// turnsIn are the signs of turns in a text, in their order.
func turnsIn(text string) []hit {
	var all []hit
	turnFinder().each(text, func(i, mark int) int {
		all = append(all, hit{i, i + len(turnMarks[mark])})
		return 0
	})
	return all
}

// forges reports whether the sentence begins with a sign of a turn, or after it.
// Turns are those that are not passed yet; it returns what is left of them.
func (s *sentence) forges(turns []hit) (bool, []hit) {
	start := s.hit().start
	for len(turns) > 0 && turns[0].end+turnReach < start {
		turns = turns[1:]
	}
	return len(turns) > 0 && turns[0].start <= start, turns
}

// overridesUnspaced reports whether a text in Chinese, Japanese or Korean wants
// instructions ignored. These have no spaces to cut words at.
func overridesUnspaced(text string) (hit, bool) {
	const reach = 60 // bytes
	for _, verb := range []string{"忽略", "无视", "無視", "忘记", "忘記", "忽視", "무시"} {
		i := strings.Index(text, verb)
		if i < 0 {
			continue
		}
		from, to := max(0, i-reach), min(len(text), i+reach)
		for _, noun := range []string{"指令", "指示", "提示词", "提示詞", "规则", "規則", "지시", "명령", "프롬프트"} {
			if strings.Contains(text[from:to], noun) {
				return hit{i, i + len(verb)}, true
			}
		}
	}
	return hit{}, false
}
