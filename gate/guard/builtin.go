package guard

// builtIn are the rules that there are, sorted by id.
var builtIn = []Rule{
	{
		ID: "concealed-encoding", Core: true, Why: "it is an order once it is decoded",
		Leaves: "encodings other than base64, hexadecimal, escapes and a named rot13; what is encoded three times",
	},
	{
		ID: "forged-role", Core: true, Why: "it poses as another turn of the conversation, and gives an order; with a destination or a tool it is hard",
		Leaves: "turns of a conversation that are marked in another way",
	},
	{
		ID: "invisible-text", Core: true, Why: "it holds characters that nobody sees",
		Leaves: "three of them between words, and a message in spaces or in the choice of letters",
	},
	{
		ID: "leak", Core: true, Why: "it wants the conversation brought somewhere",
		Leaves: "an order that names neither the conversation nor a destination",
	},
	{
		ID: "model-order", Core: true, Why: "it gives an order to a model; with a destination or a tool it is hard",
		Leaves: "an order that does not say to whom it speaks",
	},
	{
		ID: "override", Core: true, Why: "it wants earlier instructions dropped",
		Leaves: "an order that takes the place of others without naming them, and languages other than the ten it knows",
	},
	{
		ID: "reordering", Core: true, Why: "it is shown in another order than it has",
		Leaves: "right-to-left letters, which change the order by themselves",
	},
	{
		ID: "request", Tier: Soft, Why: "it asks for something to be done",
		Leaves: "a wish that is worded as a statement",
	},
	{
		ID: "secrecy", Why: "it wants something kept from the user",
		Leaves: "what is to be kept secret in other words",
	},
	{
		ID: "secret", Tier: Soft, Why: "it has the shape of a secret",
		Leaves: "a secret without a published shape or a name",
	},
	{
		ID: "tag-characters", Core: true, Why: "tag characters spell text that nobody sees",
		Leaves: "nothing: the flags of some regions are spelled with them, and no other text is",
	},
	{
		ID: "tool-chain", Core: true, Why: "it wants the conversation or a file given to a tool",
		Leaves: "an order that names neither a tool nor what it is to be given",
	},
	{
		ID: "unreadable", Core: true, Why: "it is not UTF-8, and no rule can read it",
		Leaves: "nothing: what is not UTF-8 is not a text",
	},
	{
		ID: "urgency", Tier: Soft, Why: "it presses for what it wants",
		Leaves: "pressure in small letters",
	},
}
