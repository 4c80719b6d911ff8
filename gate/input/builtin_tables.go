// Code generated from builtin.json by go generate. DO NOT EDIT.

package input

const builtInDigest = "sha256:0e077f8f555adc2dee555ea3650dbb83f42fd308930b3681e7ec5844b25bc9e5"

var builtInRules = []rule{
	{ID: "ignore-earlier-orders", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase0}}, excused: ideas{{phrase1, phrase2, phrase3}}},
	{ID: "ignore-your-orders", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase4}}, excused: ideas{{phrase1, phrase2, phrase3}}},
	{ID: "forget-what-you-were-told", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase5}}, excused: nil},
	{ID: "as-if-no-gate", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase6}}, excused: ideas{{phrase2, phrase7}}},
	{ID: "help-yourself", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase8}}, excused: nil},
	{ID: "version-of-you", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase9}}, excused: nil},
	{ID: "do-not-be-bound", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase10}}, excused: nil},
	{ID: "somebody-said-you-may", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase11}}, excused: ideas{{phrase12}}},
	{ID: "ignore-what-was-set", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase13, phrase14}}, excused: ideas{{phrase2}}},
	{ID: "reveal-your-prompt", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase15}}, excused: ideas{{phrase16, phrase17}}},
	{ID: "reveal-the-prompt", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase18}}, excused: ideas{{phrase19}}},
	{ID: "repeat-the-words-above", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase20}}, excused: ideas{{phrase21, phrase22}}},
	{ID: "asked-what-it-was-told", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase23}}, excused: ideas{{phrase24}}},
	{ID: "disable-the-gate", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase25}}, excused: ideas{{phrase26, phrase27, phrase28, phrase29, phrase30, phrase31, phrase32}}},
	{ID: "act-without-rules", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase33}}, excused: nil},
	{ID: "become-dan", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase34}}, excused: nil},
	{ID: "another-self", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase35}}, excused: nil},
	{ID: "no-longer-bound", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase36}}, excused: nil},
	{ID: "no-rules-for-you", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase37}}, excused: nil},
	{ID: "need-not-follow", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase38}}, excused: nil},
	{ID: "change-of-mode", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase39}}, excused: ideas{{phrase40, phrase41}}},
	{ID: "switch-to-mode", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase42}}, excused: ideas{{phrase40, phrase41}}},
	{ID: "mode-enabled", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase43}}, excused: nil},
	{ID: "you-in-a-mode", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase44}}, excused: nil},
	{ID: "mode-then-order", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase45}}, excused: nil},
	{ID: "pose-as-the-system", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase46}}, excused: ideas{{phrase47}}},
	{ID: "new-instructions", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase48}}, excused: nil},
	{ID: "obey-me", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase49}}, excused: ideas{{phrase50}}},
	{ID: "jailbreak", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase51}}, excused: ideas{{phrase52}}},
	{ID: "new-role", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase53}}, excused: nil},
	{ID: "stop-being-careful", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase54}}, excused: nil},
	{ID: "bounds-switched-off", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase55}}, excused: ideas{{phrase56}}},
	{ID: "your-bounds-are-void", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase57}}, excused: ideas{{phrase2}}},
	{ID: "earlier-orders-are-void", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase58}}, excused: ideas{{phrase2, phrase59}}},
	{ID: "rules-not-for-me", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase60}}, excused: nil},
	{ID: "i-am-in-charge", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase61}}, excused: nil},
	{ID: "i-authorise-you", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase62}}, excused: ideas{{phrase63}}},
	{ID: "permission-to-ignore", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase64}}, excused: ideas{{phrase65}}},
	{ID: "already-approved", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase66}}, excused: ideas{{phrase67}}},
	{ID: "unlisted-tools", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase68}}, excused: ideas{{phrase69, phrase70, phrase71, phrase72, phrase73}}},
	{ID: "regardless-of-policy", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase74}}, excused: ideas{{phrase75}}},
	{ID: "without-approval", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase76}}, excused: ideas{{phrase12, phrase77, phrase41}}},
	{ID: "off-the-record", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase78},
			{phrase79},
		}, excused: ideas{{phrase2, phrase80}}},
	{ID: "x-ignore-orders", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase81}}, excused: ideas{{phrase82}}},
	{ID: "x-ignore-and-do", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase83}}, excused: ideas{{phrase84}}},
	{ID: "x-without-your-rules", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase85}}, excused: ideas{{phrase82}}},
	{ID: "x-ignore-earlier", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase86}}, excused: ideas{{phrase82}}},
	{ID: "x-reveal-prompt", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase87}}, excused: ideas{{phrase88}}},
	{ID: "x-without-rules", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase89}}, excused: nil},
	{ID: "x-skip-check", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase90}}, excused: ideas{{phrase91, phrase92}}},
	{ID: "x-without-approval", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase93}}, excused: ideas{{phrase91}}},
	{ID: "x-you-are-now", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase94}}, excused: nil},
	{ID: "make-malware", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase95}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase47}}},
	{ID: "get-malware", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase102}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase47}}},
	{ID: "intrude", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase103}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase47, phrase104, phrase105}}},
	{ID: "bypass-security", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase106}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase47, phrase104, phrase105, phrase107}}},
	{ID: "weaken-security", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase108},
			{phrase109},
		}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase104, phrase110}}},
	{ID: "hide-an-intrusion", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase111},
			{phrase112},
		}, excused: ideas{{phrase47, phrase104, phrase105, phrase2}}},
	{ID: "cover-tracks", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase113}}, excused: ideas{{phrase47, phrase104, phrase105}}},
	{ID: "ransom", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase114},
			{phrase115},
		}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase47, phrase104, phrase105}}},
	{ID: "wreck-in-spite", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase116},
			{phrase117},
		}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase47, phrase104, phrase105, phrase118, phrase119}}},
	{ID: "get-a-shell", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase120},
			{phrase121},
		}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase47, phrase104, phrase105, phrase2, phrase122}}},
	{ID: "exploit-what-you-find", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase123}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase2}}},
	{ID: "unseen-by-defences", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase124},
			{phrase125},
		}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase2}}},
	{ID: "spreads-itself", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase126}}, excused: ideas{{phrase127}}},
	{ID: "tamper-with-the-record", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase128}}, excused: ideas{{phrase2, phrase47, phrase129}}},
	{ID: "turn-into-malware", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase130}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase47}}},
	{ID: "access-after-the-end", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase131},
			{phrase132},
		}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase2}}},
	{ID: "exploit-a-system", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase133}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase47, phrase104, phrase105, phrase2, phrase134}}},
	{ID: "undetected", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase135}}, excused: ideas{{phrase47, phrase104, phrase105}}},
	{ID: "steal-credentials", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase136}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase47, phrase2}}},
	{ID: "trick-out-of-credentials", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase137}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase47}}},
	{ID: "somebodys-secret", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase138}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase139}}},
	{ID: "what-is-somebodys-secret", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase140}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase141}}},
	{ID: "what-is-staffs-secret", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase142}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100}}},
	{ID: "what-is-the-secret", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase143}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase144}}},
	{ID: "what-is-the-secret-of", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase145}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase146}}},
	{ID: "need-somebodys-secret", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase147}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase141, phrase139, phrase41}}},
	{ID: "the-secret", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase148}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase41, phrase149}}},
	{ID: "including-secrets", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase150}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase41, phrase151}}},
	{ID: "others-secret", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase152},
			{phrase153},
			{phrase154, phrase155},
		}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase156, phrase157, phrase41}}},
	{ID: "approve-yourself", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase158}}, excused: ideas{{phrase159}}},
	{ID: "rewrite-your-bounds", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase160}}, excused: nil},
	{ID: "add-yourself", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase161}}, excused: nil},
	{ID: "override-call", Category: "override", Reason: "it tries to override the rules that it is subject to",
		said: ideas{{phrase162}}, excused: ideas{{phrase2, phrase163}}},
	{ID: "unmask-an-informer", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase164}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase167}}},
	{ID: "informer-unmask", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase168}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase167}}},
	{ID: "find-what-somebody-earns", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase169}}, excused: ideas{{phrase170, phrase96, phrase99, phrase165, phrase166, phrase100}}},
	{ID: "surveil", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase171}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase2, phrase172}}},
	{ID: "footage-of", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase173}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase2, phrase172}}},
	{ID: "rummage-for-secrets", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase174}}, excused: ideas{{phrase175, phrase176, phrase2, phrase41}}},
	{ID: "rummage-in", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase177}}, excused: ideas{{phrase175, phrase178, phrase2, phrase41}}},
	{ID: "decode-secrets", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase179},
			{phrase180},
		}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase41, phrase97}}},
	{ID: "inside-the-vault", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase181}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase41, phrase182}}},
	{ID: "so-that-i-can-log-in-as", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase183}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase184}}},
	{ID: "log-in-so-as", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase185},
			{phrase186},
		}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase184, phrase41}}},
	{ID: "unprotected-secrets", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase187}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase41, phrase188}}},
	{ID: "tap-the-keys", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase189}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase190, phrase191}}},
	{ID: "bait", Category: "malware", Reason: "it asks for malware or for a way into a system",
		said: ideas{{phrase192}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase47, phrase193}}},
	{ID: "secret-and-give-it", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase194},
			{phrase195},
		}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase196, phrase197}}},
	{ID: "capture-what-is-typed", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase198}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase199, phrase2}}},
	{ID: "secret-in-use", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase200}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase201}}},
	{ID: "their-secret", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase202}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase203}}},
	{ID: "secret-of-somebody", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase204}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase205}}},
	{ID: "role-secret", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase206}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase207}}},
	{ID: "all-secrets", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase208}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase209}}},
	{ID: "plain-secrets", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase210},
			{phrase211},
		}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase212}}},
	{ID: "secrets-left-somewhere", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase213}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase214}}},
	{ID: "password-files", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase215}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase2, phrase216, phrase217}}},
	{ID: "log-in-as", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase218}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase219, phrase12}}},
	{ID: "log-in-as-of", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase220}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase221, phrase12}}},
	{ID: "into-as", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase222}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase223}}},
	{ID: "into-as-of", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase224}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase223}}},
	{ID: "somebodys-account", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase225}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase226, phrase227, phrase228, phrase229, phrase230, phrase2, phrase47}}},
	{ID: "impersonate-token", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase231}}, excused: ideas{{phrase96, phrase99, phrase97, phrase98, phrase100, phrase232}}},
	{ID: "covert-takeover", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase233},
			{phrase234},
		}, excused: ideas{{phrase47, phrase235, phrase2, phrase236, phrase237}}},
	{ID: "approve-own-change", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase238},
			{phrase239},
		}, excused: nil},
	{ID: "brute-force", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase240}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase2, phrase241, phrase242}}},
	{ID: "phish-staff", Category: "credentials", Reason: "it asks for other people's credentials",
		said: ideas{{phrase243}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase244}}},
	{ID: "to-private-store", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase245}}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100, phrase247}}},
	{ID: "to-my-brand", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase248}}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100}}},
	{ID: "out-sensitive", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase249},
			{phrase250},
			{phrase251},
		}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100, phrase252}}},
	{ID: "out-sensitive-beyond", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase249},
			{phrase250},
			{phrase253},
		}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100, phrase252}}},
	{ID: "out-crown", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase249},
			{phrase254},
			{phrase251},
		}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100, phrase252}}},
	{ID: "out-crown-beyond", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase249},
			{phrase254},
			{phrase253},
		}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100, phrase252}}},
	{ID: "out-everything", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase249},
			{phrase255},
			{phrase251},
		}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100}}},
	{ID: "out-everything-beyond", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase249},
			{phrase255},
			{phrase253},
		}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100}}},
	{ID: "out-list-of", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase249},
			{phrase256},
			{phrase251},
		}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100}}},
	{ID: "out-list-of-beyond", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase249},
			{phrase256},
			{phrase253},
		}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100}}},
	{ID: "out-list-of-to-store", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase257},
			{phrase256},
			{phrase258},
		}, excused: ideas{{phrase259, phrase196, phrase2}}},
	{ID: "smuggle-out", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase260}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase96, phrase99, phrase246, phrase196, phrase98, phrase100, phrase47}}},
	{ID: "take-along", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase257},
			{phrase254},
			{phrase258},
		}, excused: ideas{{phrase259, phrase196, phrase2}}},
	{ID: "take-along-sensitive", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase257},
			{phrase261},
			{phrase258},
		}, excused: ideas{{phrase259, phrase196, phrase2}}},
	{ID: "past-dlp", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase249},
			{phrase262},
		}, excused: ideas{{phrase2, phrase263}}},
	{ID: "covert-copy", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase249},
			{phrase234},
			{phrase264},
		}, excused: ideas{{phrase47, phrase265, phrase2, phrase266}}},
	{ID: "leak-or-sell", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase267}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase96, phrase99, phrase246, phrase196, phrase98, phrase100, phrase47}}},
	{ID: "leak-or-sell-sensitive", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase268}}, excused: ideas{{phrase96, phrase97, phrase98, phrase99, phrase100, phrase101, phrase96, phrase99, phrase246, phrase196, phrase98, phrase100, phrase47, phrase269}}},
	{ID: "open-to-outsiders", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase270}}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100}}},
	{ID: "copy-at-home", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase271}}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100}}},
	{ID: "data-elsewhere", Category: "exfiltration", Reason: "it asks to take data out to where it does not belong",
		said: ideas{{phrase272},
			{phrase249},
			{phrase273, phrase274},
		}, excused: ideas{{phrase96, phrase99, phrase246, phrase196, phrase98, phrase100, phrase156, phrase196, phrase275, phrase276, phrase277}}},
	{ID: "my-contacts-detail", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase278}}, excused: ideas{{phrase279, phrase47, phrase280, phrase281}}},
	{ID: "persons-detail", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase282}}, excused: ideas{{phrase279, phrase47, phrase104, phrase105, phrase283}}},
	{ID: "anybodys-detail", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase284}}, excused: ideas{{phrase279, phrase47}}},
	{ID: "detail-of-a-person", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase285}}, excused: ideas{{phrase279, phrase47}}},
	{ID: "where-somebody-lives", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase286}}, excused: ideas{{phrase279, phrase47}}},
	{ID: "where-staff-lives", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase287}}, excused: ideas{{phrase279, phrase47, phrase288}}},
	{ID: "life-of-somebody", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase289}}, excused: ideas{{phrase279, phrase47}}},
	{ID: "spy-on-somebody", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase290}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279}}},
	{ID: "sexual-abuse-of-children", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase294}}, excused: ideas{{phrase279, phrase104}}},
	{ID: "colleagues-matter", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase295}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase296}}},
	{ID: "what-is-somebodys-matter", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase297}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase296}}},
	{ID: "what-is-staffs-matter", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase298}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase296, phrase299}}},
	{ID: "staff-matter", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase300}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase296}}},
	{ID: "staffs-matter", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase301}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase296}}},
	{ID: "somebodys-matter", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase302}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase296, phrase303}}},
	{ID: "his-or-her-matter", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase304}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100}}},
	{ID: "matter-of-staff", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase305}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase306, phrase307, phrase308}}},
	{ID: "hr-paper-of-somebody", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase309}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase310, phrase311, phrase312, phrase313, phrase314}}},
	{ID: "which-colleagues", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase315}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase316, phrase317}}},
	{ID: "state-of-somebody", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase318}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase316, phrase319, phrase320, phrase104, phrase321, phrase322, phrase323}}},
	{ID: "what-somebody-earns", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase324}}, excused: ideas{{phrase170, phrase96, phrase99, phrase165, phrase166, phrase100}}},
	{ID: "what-somebody-makes", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase325}}, excused: ideas{{phrase170, phrase96, phrase99, phrase165, phrase166, phrase100}}},
	{ID: "watch-somebodys", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase326}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase327, phrase2}}},
	{ID: "watch-a-colleague", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase328}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase2}}},
	{ID: "read-somebodys-mail", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase329}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase227, phrase330, phrase331, phrase332, phrase2, phrase226}}},
	{ID: "private-talk-of-others", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase333}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100}}},
	{ID: "wrote-about-me", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase334}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase335}}},
	{ID: "how-often-ill", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase336}}, excused: ideas{{phrase337, phrase338, phrase96, phrase99, phrase165, phrase166, phrase100}}},
	{ID: "talk-with-hr", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase339}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100}}},
	{ID: "others-matter", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase340},
			{phrase341},
			{phrase154, phrase342},
		}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase156, phrase157, phrase343, phrase165}}},
	{ID: "dirt-on-somebody", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase344}}, excused: ideas{{phrase47, phrase96, phrase99, phrase165, phrase166, phrase100}}},
	{ID: "reason-for-leave", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase345}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase296}}},
	{ID: "what-illness", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase346}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase316}}},
	{ID: "when-did-somebody-enter", Category: "privacy", Reason: "it asks for private details of somebody",
		said: ideas{{phrase347}}, excused: ideas{{phrase96, phrase99, phrase165, phrase166, phrase100, phrase348}}},
	{ID: "make-a-weapon", Category: "weapons", Reason: "it asks how to make or get a weapon",
		said: ideas{{phrase349}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase350}}},
	{ID: "buy-a-weapon", Category: "weapons", Reason: "it asks how to make or get a weapon",
		said: ideas{{phrase351}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "buy-unlawfully", Category: "weapons", Reason: "it asks how to make or get a weapon",
		said: ideas{{phrase352},
			{phrase353},
		}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "set-off-a-bomb", Category: "weapons", Reason: "it asks how to make or get a weapon",
		said: ideas{{phrase354}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279}}},
	{ID: "kill-people", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase355}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "hurt-people", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase356}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "people-to-kill", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase357}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "killer", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase358}}, excused: ideas{{phrase47, phrase104, phrase105}}},
	{ID: "end-a-life", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase359}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "mutilate-a-body", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase360}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "mutilate-own-body", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase361}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "rid-of-a-body", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase362}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "strike-at-people", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase363}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279}}},
	{ID: "ram-people", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase364}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "make-people-suffer", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase365}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "attack-a-place", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase366}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase367, phrase368}}},
	{ID: "set-on-fire", Category: "violence", Reason: "it asks how to hurt or kill people",
		said: ideas{{phrase369}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "hurt-myself", Category: "self-harm", Reason: "it speaks of suicide or self-injury; findahelpline.com lists people who can help",
		said: ideas{{phrase370}}, excused: ideas{{phrase47, phrase371, phrase372}}},
	{ID: "suicide", Category: "self-harm", Reason: "it speaks of suicide or self-injury; findahelpline.com lists people who can help",
		said: ideas{{phrase373}}, excused: ideas{{phrase47, phrase374}}},
	{ID: "injure-myself", Category: "self-harm", Reason: "it speaks of suicide or self-injury; findahelpline.com lists people who can help",
		said: ideas{{phrase375}}, excused: ideas{{phrase47, phrase376}}},
	{ID: "die-like", Category: "self-harm", Reason: "it speaks of suicide or self-injury; findahelpline.com lists people who can help",
		said: ideas{{phrase377}}, excused: ideas{{phrase47}}},
	{ID: "starve-or-overdose", Category: "self-harm", Reason: "it speaks of suicide or self-injury; findahelpline.com lists people who can help",
		said: ideas{{phrase378}}, excused: ideas{{phrase47, phrase379}}},
	{ID: "commit-a-crime", Category: "crime", Reason: "it asks how to commit a crime",
		said: ideas{{phrase380}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279}}},
	{ID: "means-of-crime", Category: "crime", Reason: "it asks how to commit a crime",
		said: ideas{{phrase381}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279, phrase382}}},
	{ID: "blackmail", Category: "crime", Reason: "it asks how to commit a crime",
		said: ideas{{phrase383}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279}}},
	{ID: "sabotage", Category: "crime", Reason: "it asks how to commit a crime",
		said: ideas{{phrase384}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279}}},
	{ID: "steal", Category: "crime", Reason: "it asks how to commit a crime",
		said: ideas{{phrase385}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279, phrase386}}},
	{ID: "break-in", Category: "crime", Reason: "it asks how to commit a crime",
		said: ideas{{phrase387}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279}}},
	{ID: "defeat-an-alarm", Category: "crime", Reason: "it asks how to commit a crime",
		said: ideas{{phrase388}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279, phrase389}}},
	{ID: "defeat-security", Category: "crime", Reason: "it asks how to commit a crime",
		said: ideas{{phrase390}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279}}},
	{ID: "take-hostages", Category: "crime", Reason: "it asks how to commit a crime",
		said: ideas{{phrase391}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "damage-property", Category: "crime", Reason: "it asks how to commit a crime",
		said: ideas{{phrase392}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "forge-or-launder", Category: "crime", Reason: "it asks how to commit a crime",
		said: ideas{{phrase393}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279}}},
	{ID: "make-drugs", Category: "drugs", Reason: "it asks for illegal drugs",
		said: ideas{{phrase394}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase395, phrase396}}},
	{ID: "get-drugs", Category: "drugs", Reason: "it asks for illegal drugs",
		said: ideas{{phrase397}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase395, phrase396}}},
	{ID: "group-kept-down", Category: "hate", Reason: "it makes a case against people for what they are",
		said: ideas{{phrase398}}, excused: ideas{{phrase105, phrase321}}},
	{ID: "group-less", Category: "hate", Reason: "it makes a case against people for what they are",
		said: ideas{{phrase399}}, excused: ideas{{phrase105, phrase321, phrase400}}},
	{ID: "group-best-for-society", Category: "hate", Reason: "it makes a case against people for what they are",
		said: ideas{{phrase401}}, excused: ideas{{phrase105, phrase321, phrase402}}},
	{ID: "group-is-worse", Category: "hate", Reason: "it makes a case against people for what they are",
		said: ideas{{phrase403}}, excused: ideas{{phrase47, phrase104, phrase105, phrase321}}},
	{ID: "kin-kept-down", Category: "hate", Reason: "it makes a case against people for what they are",
		said: ideas{{phrase404}}, excused: ideas{{phrase105, phrase321}}},
	{ID: "kin-less", Category: "hate", Reason: "it makes a case against people for what they are",
		said: ideas{{phrase405}}, excused: ideas{{phrase105, phrase321, phrase400}}},
	{ID: "kin-best-for-society", Category: "hate", Reason: "it makes a case against people for what they are",
		said: ideas{{phrase406}}, excused: ideas{{phrase105, phrase321, phrase402}}},
	{ID: "kin-is-worse", Category: "hate", Reason: "it makes a case against people for what they are",
		said: ideas{{phrase407}}, excused: ideas{{phrase47, phrase104, phrase105, phrase321}}},
	{ID: "spread-hatred", Category: "hate", Reason: "it makes a case against people for what they are",
		said: ideas{{phrase408}}, excused: ideas{{phrase47, phrase104, phrase105}}},
	{ID: "deny", Category: "atrocities", Reason: "it denies, praises or wants to repeat an atrocity",
		said: ideas{{phrase409}}, excused: ideas{{phrase410, phrase47}}},
	{ID: "call-it-a-lie", Category: "atrocities", Reason: "it denies, praises or wants to repeat an atrocity",
		said: ideas{{phrase411}}, excused: ideas{{phrase410, phrase47}}},
	{ID: "praise", Category: "atrocities", Reason: "it denies, praises or wants to repeat an atrocity",
		said: ideas{{phrase412}}, excused: ideas{{phrase47, phrase413}}},
	{ID: "approve", Category: "atrocities", Reason: "it denies, praises or wants to repeat an atrocity",
		said: ideas{{phrase414}}, excused: ideas{{phrase47, phrase415, phrase416}}},
	{ID: "repeat", Category: "atrocities", Reason: "it denies, praises or wants to repeat an atrocity",
		said: ideas{{phrase417}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105}}},
	{ID: "commit", Category: "atrocities", Reason: "it denies, praises or wants to repeat an atrocity",
		said: ideas{{phrase418}}, excused: ideas{{phrase47, phrase291, phrase104, phrase292, phrase293, phrase105, phrase279}}},
	{ID: "like-an-atrocity", Category: "atrocities", Reason: "it denies, praises or wants to repeat an atrocity",
		said: ideas{{phrase419}}, excused: ideas{{phrase47, phrase104, phrase105}}},
}

var (
	phrase0   = phrase{{[]uint32{1}, 4611686018427387904, false}, {[]uint32{2}, 3, false}, {[]uint32{3}, 3, false}}
	phrase1   = phrase{{[]uint32{4}, 4611686018427387904, false}}
	phrase2   = phrase{{[]uint32{5}, 4611686018427387904, false}, {[]uint32{6}, 0, false}}
	phrase3   = phrase{{[]uint32{7}, 4611686018427387904, false}, {[]uint32{1}, 2, false}}
	phrase4   = phrase{{[]uint32{1}, 4611686018427387904, false}, {[]uint32{8}, 2, false}, {[]uint32{3}, 2, false}}
	phrase5   = phrase{{[]uint32{1}, 4611686018427387904, false}, {[]uint32{9, 10, 11}, 0, false}, {[]uint32{12}, 2, false}}
	phrase6   = phrase{{[]uint32{13}, 4611686018427387904, false}, {[]uint32{14}, 4, false}}
	phrase7   = phrase{{[]uint32{15, 16}, 4611686018427387904, false}, {[]uint32{17, 18}, 1, false}}
	phrase8   = phrase{{[]uint32{19, 20, 21, 22, 23}, 4611686018427387904, false}, {[]uint32{24}, 0, false}, {[]uint32{25, 26, 27, 28, 29, 30, 31, 32, 33}, 3, false}}
	phrase9   = phrase{{[]uint32{34}, 4611686018427387904, false}, {[]uint32{35}, 0, false}, {[]uint32{36, 24}, 0, false}, {[]uint32{37, 38, 39, 40, 41, 42}, 5, false}}
	phrase10  = phrase{{[]uint32{5, 43, 44}, 4611686018427387904, false}, {[]uint32{45}, 0, true}, {[]uint32{46, 47}, 0, false}, {[]uint32{48, 49}, 0, false}, {[]uint32{50}, 0, true}, {[]uint32{51, 52, 53, 54}, 0, false}, {[]uint32{55}, 0, false}}
	phrase11  = phrase{{[]uint32{56}, 4611686018427387904, false}, {[]uint32{57, 58, 59, 60, 61, 62, 63, 64, 65}, 1, false}, {[]uint32{36}, 1, false}, {[]uint32{66, 1}, 2, false}}
	phrase12  = phrase{{[]uint32{5}, 4611686018427387904, false}, {[]uint32{67}, 0, false}}
	phrase13  = phrase{{[]uint32{1}, 4611686018427387904, false}, {[]uint32{3, 68}, 1, false}, {[]uint32{36}, 1, false}, {[]uint32{69, 70, 71, 72, 73, 74}, 2, false}}
	phrase14  = phrase{{[]uint32{1}, 4611686018427387904, false}, {[]uint32{15, 75, 76, 77}, 0, false}, {[]uint32{78, 79, 80, 81, 82, 36}, 2, false}, {[]uint32{61, 83, 84, 85, 86, 57, 58, 87, 69, 88}, 2, false}}
	phrase15  = phrase{{[]uint32{89}, 4611686018427387904, false}, {[]uint32{90}, 3, false}, {[]uint32{91}, 2, false}}
	phrase16  = phrase{{[]uint32{92, 93, 94}, 4611686018427387904, false}}
	phrase17  = phrase{{[]uint32{90}, 4611686018427387904, false}, {[]uint32{95, 96, 97}, 2, false}}
	phrase18  = phrase{{[]uint32{89}, 4611686018427387904, false}, {[]uint32{98}, 3, false}}
	phrase19  = phrase{{[]uint32{99}, 4611686018427387904, false}}
	phrase20  = phrase{{[]uint32{89}, 4611686018427387904, false}, {[]uint32{100, 101, 102, 9, 103, 104, 105, 106, 107, 10}, 2, false}, {[]uint32{108}, 0, false}}
	phrase21  = phrase{{[]uint32{109, 110, 111, 92, 112}, 4611686018427387904, false}, {[]uint32{108}, 0, false}}
	phrase22  = phrase{{[]uint32{108}, 4611686018427387904, false}, {[]uint32{113, 114}, 0, false}}
	phrase23  = phrase{{[]uint32{15}, 4611686018427387904, false}, {[]uint32{115, 116, 117, 71}, 0, false}, {[]uint32{36, 118}, 0, false}, {[]uint32{61, 83, 119, 120}, 2, false}}
	phrase24  = phrase{{[]uint32{121, 119}, 4611686018427387904, false}, {[]uint32{122, 123}, 0, false}}
	phrase25  = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{66}, 0, false}, {[]uint32{125}, 2, false}}
	phrase26  = phrase{{[]uint32{5}, 4611686018427387904, false}, {[]uint32{126}, 0, false}}
	phrase27  = phrase{{[]uint32{127, 128, 129, 130, 131, 132, 46, 133}, 4611686018427387904, false}, {[]uint32{66}, 8, false}}
	phrase28  = phrase{{[]uint32{77}, 4611686018427387904, false}, {[]uint32{45}, 0, false}, {[]uint32{134}, 0, false}, {[]uint32{20}, 0, false}}
	phrase29  = phrase{{[]uint32{135}, 4611686018427387904, false}}
	phrase30  = phrase{{[]uint32{136}, 4611686018427387904, false}, {[]uint32{137, 138, 139, 140, 141}, 0, false}}
	phrase31  = phrase{{[]uint32{142, 143, 144, 145, 146, 147, 148}, 4611686018427387904, false}, {[]uint32{149, 150, 151, 152, 153, 154, 155, 156, 157, 158}, 1, false}}
	phrase32  = phrase{{[]uint32{159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170}, 4611686018427387904, false}}
	phrase33  = phrase{{[]uint32{171}, 4611686018427387904, false}, {[]uint32{37}, 5, false}}
	phrase34  = phrase{{[]uint32{172}, 4611686018427387904, false}, {[]uint32{173}, 0, false}}
	phrase35  = phrase{{[]uint32{172}, 4611686018427387904, false}, {[]uint32{174}, 6, false}}
	phrase36  = phrase{{[]uint32{36, 175}, 4611686018427387904, false}, {[]uint32{38}, 1, false}, {[]uint32{51, 54, 53, 52}, 0, false}, {[]uint32{55, 176}, 0, false}}
	phrase37  = phrase{{[]uint32{36, 175}, 4611686018427387904, false}, {[]uint32{38}, 1, false}, {[]uint32{177, 178, 179, 180, 181}, 0, false}}
	phrase38  = phrase{{[]uint32{36, 175}, 4611686018427387904, false}, {[]uint32{38}, 1, false}, {[]uint32{74, 182}, 0, false}, {[]uint32{90, 183}, 1, false}, {[]uint32{3}, 1, false}}
	phrase39  = phrase{{[]uint32{184, 185}, 4611686018427387904, false}, {[]uint32{186}, 0, false}}
	phrase40  = phrase{{[]uint32{186}, 4611686018427387904, false}, {[]uint32{187}, 0, false}}
	phrase41  = phrase{{[]uint32{77}, 4611686018427387904, false}}
	phrase42  = phrase{{[]uint32{188}, 4611686018427387904, false}, {[]uint32{176}, 0, false}, {[]uint32{186}, 0, false}}
	phrase43  = phrase{{[]uint32{5}, 4611686018427387904, false}, {[]uint32{186}, 0, false}, {[]uint32{189, 190, 94, 191}, 0, false}}
	phrase44  = phrase{{[]uint32{192}, 4611686018427387904, false}, {[]uint32{114}, 2, false}, {[]uint32{193}, 1, false}}
	phrase45  = phrase{{[]uint32{5}, 4611686018427387904, false}, {[]uint32{193}, 1, false}, {[]uint32{191, 43}, 0, false}, {[]uint32{89}, 3, false}, {[]uint32{91, 98, 194, 9}, 3, false}}
	phrase46  = phrase{{[]uint32{5, 195, 196, 197}, 4611686018427387904, false}, {[]uint32{198}, 0, false}, {[]uint32{191, 199, 200, 197}, 0, false}, {[]uint32{36, 201, 202, 203, 113, 150, 10, 204, 20}, 2, false}}
	phrase47  = phrase{{[]uint32{205}, 4611686018427387904, false}}
	phrase48  = phrase{{[]uint32{206}, 4611686018427387904, false}, {[]uint32{191}, 0, false}}
	phrase49  = phrase{{[]uint32{36}, 4611686018427387904, false}, {[]uint32{207}, 0, false}, {[]uint32{182, 208, 74}, 1, false}, {[]uint32{209, 210, 211}, 1, false}, {[]uint32{210, 10, 212, 213}, 0, false}}
	phrase50  = phrase{{[]uint32{95, 96, 214, 215, 177, 216}, 4611686018427387904, false}}
	phrase51  = phrase{{[]uint32{217}, 4611686018427387904, false}, {[]uint32{36, 24, 218, 219, 220, 221, 222, 223, 224}, 1, false}}
	phrase52  = phrase{{[]uint32{127, 16, 225, 226, 227, 228, 229, 230, 231}, 4611686018427387904, false}}
	phrase53  = phrase{{[]uint32{232}, 4611686018427387904, false}}
	phrase54  = phrase{{[]uint32{233}, 4611686018427387904, false}, {[]uint32{234}, 4, false}}
	phrase55  = phrase{{[]uint32{235}, 4611686018427387904, false}, {[]uint32{90}, 1, false}, {[]uint32{68, 125}, 2, false}}
	phrase56  = phrase{{[]uint32{96, 95}, 4611686018427387904, false}, {[]uint32{236, 237, 238}, 1, false}}
	phrase57  = phrase{{[]uint32{90}, 4611686018427387904, false}, {[]uint32{68}, 2, false}, {[]uint32{239}, 4, false}}
	phrase58  = phrase{{[]uint32{240, 241, 242, 243, 150}, 4611686018427387904, false}, {[]uint32{3}, 1, false}, {[]uint32{239}, 4, false}}
	phrase59  = phrase{{[]uint32{127, 244, 16, 245}, 4611686018427387904, false}}
	phrase60  = phrase{{[]uint32{68}, 4611686018427387904, false}, {[]uint32{46, 47, 246}, 2, false}, {[]uint32{247}, 0, false}, {[]uint32{176}, 0, false}, {[]uint32{209}, 0, false}}
	phrase61  = phrase{{[]uint32{248, 134, 249}, 4611686018427387904, false}, {[]uint32{250}, 0, true}, {[]uint32{90, 113}, 0, false}, {[]uint32{56}, 0, false}, {[]uint32{251, 252}, 4, false}}
	phrase62  = phrase{{[]uint32{251}, 4611686018427387904, false}, {[]uint32{66, 1, 253, 254, 11, 9, 75}, 6, false}}
	phrase63  = phrase{{[]uint32{127, 255}, 4611686018427387904, false}}
	phrase64  = phrase{{[]uint32{36}, 4611686018427387904, false}, {[]uint32{25, 256, 33, 257}, 4, false}, {[]uint32{176}, 0, false}, {[]uint32{66, 1}, 0, false}, {[]uint32{125, 3, 68}, 3, false}}
	phrase65  = phrase{{[]uint32{127, 20}, 4611686018427387904, false}, {[]uint32{258, 77}, 0, false}, {[]uint32{45}, 0, false}}
	phrase66  = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{259}, 0, false}, {[]uint32{260}, 3, false}, {[]uint32{261}, 5, false}}
	phrase67  = phrase{{[]uint32{15, 16, 127, 77}, 4611686018427387904, false}}
	phrase68  = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{262}, 0, false}, {[]uint32{263, 264, 265, 266, 267, 268}, 4, false}, {[]uint32{253}, 6, false}}
	phrase69  = phrase{{[]uint32{245}, 4611686018427387904, false}}
	phrase70  = phrase{{[]uint32{127}, 4611686018427387904, false}}
	phrase71  = phrase{{[]uint32{269}, 4611686018427387904, false}, {[]uint32{270}, 0, false}}
	phrase72  = phrase{{[]uint32{15}, 4611686018427387904, false}, {[]uint32{271}, 0, false}}
	phrase73  = phrase{{[]uint32{46, 132, 47}, 4611686018427387904, false}, {[]uint32{262}, 0, false}}
	phrase74  = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{272}, 0, false}, {[]uint32{273}, 6, false}, {[]uint32{3, 125, 68}, 4, false}}
	phrase75  = phrase{{[]uint32{127, 16, 15}, 4611686018427387904, false}, {[]uint32{271, 274}, 0, false}}
	phrase76  = phrase{{[]uint32{5, 43, 44, 275, 276, 277, 36}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{278}, 0, false}, {[]uint32{254}, 8, false}, {[]uint32{279}, 3, false}}
	phrase77  = phrase{{[]uint32{127, 16, 128, 96, 129, 131, 46, 132, 133, 280, 281, 47, 282, 283}, 4611686018427387904, false}, {[]uint32{254}, 8, false}}
	phrase78  = phrase{{[]uint32{278, 284, 285}, 4611686018427387904, false}}
	phrase79  = phrase{{[]uint32{286}, 4611686018427387904, false}}
	phrase80  = phrase{{[]uint32{96, 226, 225, 287, 288, 289}, 4611686018427387904, false}}
	phrase81  = phrase{{[]uint32{290}, 4611686018427387904, false}, {[]uint32{291}, 3, false}, {[]uint32{292}, 2, false}}
	phrase82  = phrase{{[]uint32{5}, 4611686018427387904, false}, {[]uint32{293}, 0, false}}
	phrase83  = phrase{{[]uint32{290}, 4611686018427387904, false}, {[]uint32{292, 294}, 5, false}, {[]uint32{295, 296, 297, 298, 299}, 2, false}, {[]uint32{300}, 1, false}}
	phrase84  = phrase{{[]uint32{5}, 4611686018427387904, false}, {[]uint32{293}, 1, false}}
	phrase85  = phrase{{[]uint32{301, 300, 302}, 4611686018427387904, false}, {[]uint32{303, 304, 305, 306, 307, 308}, 6, false}, {[]uint32{291}, 1, false}, {[]uint32{292}, 1, false}}
	phrase86  = phrase{{[]uint32{290}, 4611686018427387904, false}, {[]uint32{292}, 3, false}, {[]uint32{309}, 1, false}}
	phrase87  = phrase{{[]uint32{302}, 4611686018427387904, false}, {[]uint32{310}, 3, false}, {[]uint32{311}, 1, false}}
	phrase88  = phrase{{[]uint32{312, 313, 314, 315, 316, 99}, 4611686018427387904, false}}
	phrase89  = phrase{{[]uint32{301}, 4611686018427387904, false}, {[]uint32{317}, 8, false}}
	phrase90  = phrase{{[]uint32{5}, 4611686018427387904, false}, {[]uint32{290, 66}, 3, false}, {[]uint32{294}, 2, false}}
	phrase91  = phrase{{[]uint32{5}, 4611686018427387904, false}, {[]uint32{293}, 2, false}}
	phrase92  = phrase{{[]uint32{67}, 4611686018427387904, false}}
	phrase93  = phrase{{[]uint32{300}, 4611686018427387904, false}, {[]uint32{318}, 8, false}}
	phrase94  = phrase{{[]uint32{301}, 4611686018427387904, false}, {[]uint32{80, 30, 319, 320, 321, 322, 323, 324, 325}, 4, false}, {[]uint32{303, 304, 305, 306, 307, 308}, 3, false}}
	phrase95  = phrase{{[]uint32{326}, 4611686018427387904, false}, {[]uint32{327}, 3, false}}
	phrase96  = phrase{{[]uint32{328}, 4611686018427387904, false}}
	phrase97  = phrase{{[]uint32{329}, 4611686018427387904, false}, {[]uint32{330}, 0, false}}
	phrase98  = phrase{{[]uint32{5}, 4611686018427387904, false}, {[]uint32{6}, 1, false}}
	phrase99  = phrase{{[]uint32{5}, 4611686018427387904, false}, {[]uint32{96, 95}, 5, false}}
	phrase100 = phrase{{[]uint32{331}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{332}, 0, false}}
	phrase101 = phrase{{[]uint32{333, 334, 335, 336, 65, 337, 338, 339, 340}, 4611686018427387904, false}}
	phrase102 = phrase{{[]uint32{341}, 4611686018427387904, false}, {[]uint32{327}, 3, false}}
	phrase103 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{342}, 0, false}, {[]uint32{343}, 4, false}}
	phrase104 = phrase{{[]uint32{344}, 4611686018427387904, false}}
	phrase105 = phrase{{[]uint32{345}, 4611686018427387904, false}, {[]uint32{346}, 3, false}}
	phrase106 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{347}, 0, false}, {[]uint32{348}, 3, false}}
	phrase107 = phrase{{[]uint32{349, 142, 350, 143, 145}, 4611686018427387904, false}}
	phrase108 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{351}, 0, false}, {[]uint32{348}, 3, false}}
	phrase109 = phrase{{[]uint32{352, 353}, 4611686018427387904, false}}
	phrase110 = phrase{{[]uint32{142, 350, 143, 145}, 4611686018427387904, false}}
	phrase111 = phrase{{[]uint32{354}, 4611686018427387904, false}, {[]uint32{355}, 3, false}}
	phrase112 = phrase{{[]uint32{133, 356, 357, 358, 359, 360, 361, 362, 363, 364, 365}, 4611686018427387904, false}}
	phrase113 = phrase{{[]uint32{366, 367, 368, 369, 370, 371}, 4611686018427387904, false}, {[]uint32{210, 372, 90}, 0, false}, {[]uint32{355}, 0, false}}
	phrase114 = phrase{{[]uint32{373, 374, 375, 376, 377}, 4611686018427387904, false}}
	phrase115 = phrase{{[]uint32{378}, 4611686018427387904, false}}
	phrase116 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{379}, 0, false}, {[]uint32{380}, 5, false}}
	phrase117 = phrase{{[]uint32{381, 352}, 4611686018427387904, false}}
	phrase118 = phrase{{[]uint32{6}, 4611686018427387904, false}}
	phrase119 = phrase{{[]uint32{382, 383}, 4611686018427387904, false}}
	phrase120 = phrase{{[]uint32{384, 385, 386, 387, 388, 389, 390}, 4611686018427387904, false}}
	phrase121 = phrase{{[]uint32{391, 392, 393, 19, 394, 395, 396}, 4611686018427387904, false}, {[]uint32{397, 323, 398, 30}, 2, false}}
	phrase122 = phrase{{[]uint32{399, 400}, 4611686018427387904, false}}
	phrase123 = phrase{{[]uint32{385, 401, 363, 402}, 4611686018427387904, false}, {[]uint32{15, 75, 11, 9, 183, 403, 270}, 0, false}, {[]uint32{404, 405, 406, 407, 408, 409}, 3, false}}
	phrase124 = phrase{{[]uint32{410}, 4611686018427387904, false}, {[]uint32{411, 412, 413, 414, 415, 416, 417, 143, 418, 419, 165}, 3, false}, {[]uint32{420}, 4, false}}
	phrase125 = phrase{{[]uint32{421, 422, 423, 424, 425, 263, 426, 427, 428, 429, 223, 430, 270, 431}, 4611686018427387904, false}}
	phrase126 = phrase{{[]uint32{76, 16, 176}, 4611686018427387904, false}, {[]uint32{432, 433, 434, 435, 436, 437, 438, 439}, 0, false}, {[]uint32{440}, 0, false}}
	phrase127 = phrase{{[]uint32{441, 442, 443}, 4611686018427387904, false}}
	phrase128 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{444}, 0, false}, {[]uint32{445}, 3, false}}
	phrase129 = phrase{{[]uint32{226, 225, 446, 447, 382, 96}, 4611686018427387904, false}}
	phrase130 = phrase{{[]uint32{448, 449, 450, 451}, 4611686018427387904, false}, {[]uint32{452, 258, 453}, 6, false}, {[]uint32{327}, 2, false}}
	phrase131 = phrase{{[]uint32{454}, 4611686018427387904, false}, {[]uint32{27, 114, 455, 456, 397, 457, 458, 459, 460}, 4, false}}
	phrase132 = phrase{{[]uint32{461, 244, 462, 463, 464}, 4611686018427387904, false}, {[]uint32{465}, 0, false}}
	phrase133 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{385, 386, 401, 466, 467, 402, 468, 469}, 0, false}, {[]uint32{343}, 5, false}}
	phrase134 = phrase{{[]uint32{337, 338, 470, 471, 472}, 4611686018427387904, false}}
	phrase135 = phrase{{[]uint32{473}, 4611686018427387904, false}, {[]uint32{327}, 3, false}}
	phrase136 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{474}, 0, false}, {[]uint32{475}, 4, false}}
	phrase137 = phrase{{[]uint32{476}, 4611686018427387904, false}, {[]uint32{477, 478, 479, 480, 120}, 5, false}, {[]uint32{329}, 4, false}}
	phrase138 = phrase{{[]uint32{481}, 4611686018427387904, false}, {[]uint32{0}, 10, false}, {[]uint32{329}, 4, false}}
	phrase139 = phrase{{[]uint32{482, 483, 484, 485, 486}, 4611686018427387904, false}}
	phrase140 = phrase{{[]uint32{487}, 4611686018427387904, false}, {[]uint32{0}, 1, false}, {[]uint32{329}, 3, false}}
	phrase141 = phrase{{[]uint32{488}, 4611686018427387904, false}, {[]uint32{329}, 3, false}}
	phrase142 = phrase{{[]uint32{487}, 4611686018427387904, false}, {[]uint32{489, 490, 491}, 2, false}, {[]uint32{0}, 0, true}, {[]uint32{329}, 4, false}}
	phrase143 = phrase{{[]uint32{487}, 4611686018427387904, false}, {[]uint32{492}, 3, false}, {[]uint32{0}, 0, true}, {[]uint32{493}, 2, false}}
	phrase144 = phrase{{[]uint32{494, 142, 495, 496, 29}, 4611686018427387904, false}}
	phrase145 = phrase{{[]uint32{487}, 4611686018427387904, false}, {[]uint32{113}, 0, true}, {[]uint32{493}, 0, false}, {[]uint32{35, 93}, 0, false}, {[]uint32{489, 497}, 3, false}}
	phrase146 = phrase{{[]uint32{162, 498, 499, 494, 142}, 4611686018427387904, false}}
	phrase147 = phrase{{[]uint32{500}, 4611686018427387904, false}, {[]uint32{0}, 6, false}, {[]uint32{329}, 3, false}}
	phrase148 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{501}, 0, false}, {[]uint32{209, 122}, 0, true}, {[]uint32{113, 76, 431, 502}, 1, false}, {[]uint32{503}, 4, false}}
	phrase149 = phrase{{[]uint32{162, 498, 499, 494, 504, 142, 143, 505, 506, 121, 203}, 4611686018427387904, false}}
	phrase150 = phrase{{[]uint32{481}, 4611686018427387904, false}, {[]uint32{507, 508}, 10, false}, {[]uint32{10, 113, 509, 183}, 0, true}, {[]uint32{503}, 1, false}}
	phrase151 = phrase{{[]uint32{510, 39, 132}, 4611686018427387904, false}}
	phrase152 = phrase{{[]uint32{511}, 4611686018427387904, false}}
	phrase153 = phrase{{[]uint32{512}, 4611686018427387904, false}}
	phrase154 = phrase{{[]uint32{0}, 4611686018427387904, false}}
	phrase155 = phrase{{[]uint32{513}, 4611686018427387904, false}}
	phrase156 = phrase{{[]uint32{514}, 4611686018427387904, false}}
	phrase157 = phrase{{[]uint32{210}, 4611686018427387904, false}, {[]uint32{515}, 0, false}}
	phrase158 = phrase{{[]uint32{516}, 4611686018427387904, false}}
	phrase159 = phrase{{[]uint32{127, 16, 244, 77, 517, 518, 519, 520, 521, 522, 257, 523, 226, 225, 227, 224, 524, 245, 525, 115, 117, 526}, 4611686018427387904, false}}
	phrase160 = phrase{{[]uint32{527}, 4611686018427387904, false}, {[]uint32{90}, 0, false}, {[]uint32{528}, 1, false}}
	phrase161 = phrase{{[]uint32{21, 529}, 4611686018427387904, false}, {[]uint32{24, 9, 183, 10, 212}, 0, false}, {[]uint32{264, 263}, 0, true}, {[]uint32{176, 94, 530}, 0, false}, {[]uint32{531}, 1, false}}
	phrase162 = phrase{{[]uint32{532}, 4611686018427387904, false}, {[]uint32{191, 43, 533, 190, 189, 534, 535, 338, 337, 60, 536}, 1, false}}
	phrase163 = phrase{{[]uint32{457, 537, 538, 539, 540, 541, 15, 77}, 4611686018427387904, false}}
	phrase164 = phrase{{[]uint32{542}, 4611686018427387904, false}, {[]uint32{543}, 10, false}}
	phrase165 = phrase{{[]uint32{544}, 4611686018427387904, false}}
	phrase166 = phrase{{[]uint32{545}, 4611686018427387904, false}, {[]uint32{546}, 0, false}}
	phrase167 = phrase{{[]uint32{77, 547, 123, 255, 548, 549, 550, 551, 156, 552, 553, 27, 131}, 4611686018427387904, false}}
	phrase168 = phrase{{[]uint32{543}, 4611686018427387904, false}, {[]uint32{542}, 10, false}}
	phrase169 = phrase{{[]uint32{554, 555, 119, 556, 557}, 4611686018427387904, false}, {[]uint32{15, 558}, 3, false}, {[]uint32{559}, 4, false}}
	phrase170 = phrase{{[]uint32{560}, 4611686018427387904, false}}
	phrase171 = phrase{{[]uint32{561}, 4611686018427387904, false}, {[]uint32{562, 563, 564, 555, 565, 404, 566, 567, 244}, 6, false}, {[]uint32{568}, 4, false}}
	phrase172 = phrase{{[]uint32{569}, 4611686018427387904, false}}
	phrase173 = phrase{{[]uint32{554, 570}, 4611686018427387904, false}, {[]uint32{561}, 3, false}, {[]uint32{35, 93, 121, 94}, 2, false}, {[]uint32{571, 572, 573, 491}, 4, false}}
	phrase174 = phrase{{[]uint32{574}, 4611686018427387904, false}, {[]uint32{575}, 7, false}, {[]uint32{576}, 5, false}}
	phrase175 = phrase{{[]uint32{576}, 4611686018427387904, false}, {[]uint32{330}, 0, false}}
	phrase176 = phrase{{[]uint32{96, 95, 577, 578, 579, 580, 581, 227, 582, 416, 583, 584, 121, 585, 586}, 4611686018427387904, false}}
	phrase177 = phrase{{[]uint32{574}, 4611686018427387904, false}, {[]uint32{576}, 2, false}, {[]uint32{114, 94, 587}, 4, false}, {[]uint32{575}, 3, false}}
	phrase178 = phrase{{[]uint32{96, 95, 577, 578, 579, 580, 581, 227, 582, 416, 583, 584, 121, 585, 586, 588, 589, 590}, 4611686018427387904, false}}
	phrase179 = phrase{{[]uint32{591}, 4611686018427387904, false}}
	phrase180 = phrase{{[]uint32{592, 194, 503}, 4611686018427387904, false}}
	phrase181 = phrase{{[]uint32{481, 593, 439, 406}, 4611686018427387904, false}, {[]uint32{594}, 3, false}, {[]uint32{595}, 7, false}}
	phrase182 = phrase{{[]uint32{596, 597}, 4611686018427387904, false}}
	phrase183 = phrase{{[]uint32{598}, 4611686018427387904, false}, {[]uint32{548}, 3, false}, {[]uint32{599}, 3, false}}
	phrase184 = phrase{{[]uint32{599}, 4611686018427387904, false}, {[]uint32{258, 600, 162, 601, 142, 210}, 0, false}}
	phrase185 = phrase{{[]uint32{329, 423}, 4611686018427387904, false}}
	phrase186 = phrase{{[]uint32{599}, 4611686018427387904, false}}
	phrase187 = phrase{{[]uint32{481}, 4611686018427387904, false}, {[]uint32{602, 603, 604, 605, 606}, 3, false}, {[]uint32{493}, 1, false}}
	phrase188 = phrase{{[]uint32{16}, 4611686018427387904, false}}
	phrase189 = phrase{{[]uint32{448, 607, 608, 609, 153, 610, 611, 529, 185, 85, 612, 613, 614, 615, 21, 368}, 4611686018427387904, false}, {[]uint32{616}, 4, false}}
	phrase190 = phrase{{[]uint32{77, 15, 245}, 4611686018427387904, false}}
	phrase191 = phrase{{[]uint32{226, 617, 581, 618, 619}, 4611686018427387904, false}}
	phrase192 = phrase{{[]uint32{326, 620, 621, 622, 623}, 4611686018427387904, false}, {[]uint32{624}, 3, false}, {[]uint32{625, 432, 626, 627, 106, 506, 628, 629, 456, 630, 631, 632, 633, 333, 634}, 4, false}}
	phrase193 = phrase{{[]uint32{635, 636, 637}, 4611686018427387904, false}}
	phrase194 = phrase{{[]uint32{493}, 4611686018427387904, false}}
	phrase195 = phrase{{[]uint32{638}, 4611686018427387904, false}}
	phrase196 = phrase{{[]uint32{639}, 4611686018427387904, false}}
	phrase197 = phrase{{[]uint32{494, 96, 77, 142}, 4611686018427387904, false}}
	phrase198 = phrase{{[]uint32{640}, 4611686018427387904, false}, {[]uint32{329}, 6, false}, {[]uint32{641}, 4, false}}
	phrase199 = phrase{{[]uint32{46, 132, 642, 643, 245}, 4611686018427387904, false}}
	phrase200 = phrase{{[]uint32{15, 16}, 4611686018427387904, false}, {[]uint32{493}, 0, false}, {[]uint32{489, 572}, 3, false}, {[]uint32{612, 644, 645, 526, 71, 85, 646}, 2, false}}
	phrase201 = phrase{{[]uint32{647, 96, 648}, 4611686018427387904, false}}
	phrase202 = phrase{{[]uint32{481}, 4611686018427387904, false}, {[]uint32{490, 491, 509}, 8, false}, {[]uint32{329}, 3, false}}
	phrase203 = phrase{{[]uint32{649, 85, 515, 504, 118, 650}, 4611686018427387904, false}}
	phrase204 = phrase{{[]uint32{481}, 4611686018427387904, false}, {[]uint32{493}, 6, false}, {[]uint32{35, 93, 587, 651, 652, 114, 176}, 3, false}, {[]uint32{489, 497, 653}, 4, false}}
	phrase205 = phrase{{[]uint32{77, 654, 655, 515, 210, 650, 656, 608, 657, 577, 494, 505, 636, 152}, 4611686018427387904, false}, {[]uint32{658}, 0, false}}
	phrase206 = phrase{{[]uint32{481}, 4611686018427387904, false}, {[]uint32{492}, 3, false}, {[]uint32{0}, 0, true}, {[]uint32{493}, 2, false}}
	phrase207 = phrase{{[]uint32{77, 654, 655, 650, 494, 142, 495, 656, 143}, 4611686018427387904, false}}
	phrase208 = phrase{{[]uint32{481}, 4611686018427387904, false}, {[]uint32{659}, 4, false}, {[]uint32{493}, 6, false}}
	phrase209 = phrase{{[]uint32{77, 578, 494, 142, 635, 660, 661}, 4611686018427387904, false}}
	phrase210 = phrase{{[]uint32{481}, 4611686018427387904, false}, {[]uint32{493}, 6, false}}
	phrase211 = phrase{{[]uint32{662}, 4611686018427387904, false}}
	phrase212 = phrase{{[]uint32{77, 245, 16, 663, 664, 494, 648, 45}, 4611686018427387904, false}, {[]uint32{665, 666, 642, 132, 667}, 0, false}}
	phrase213 = phrase{{[]uint32{481}, 4611686018427387904, false}, {[]uint32{653}, 8, false}, {[]uint32{493}, 6, false}, {[]uint32{662, 668, 669}, 6, false}}
	phrase214 = phrase{{[]uint32{77, 245, 16}, 4611686018427387904, false}}
	phrase215 = phrase{{[]uint32{670}, 4611686018427387904, false}, {[]uint32{671}, 8, false}}
	phrase216 = phrase{{[]uint32{672}, 4611686018427387904, false}}
	phrase217 = phrase{{[]uint32{525}, 4611686018427387904, false}}
	phrase218 = phrase{{[]uint32{599}, 4611686018427387904, false}, {[]uint32{489, 673, 572}, 2, false}}
	phrase219 = phrase{{[]uint32{142, 162, 147, 674, 675, 676}, 4611686018427387904, false}}
	phrase220 = phrase{{[]uint32{599}, 4611686018427387904, false}, {[]uint32{587, 114}, 2, false}, {[]uint32{677}, 0, false}}
	phrase221 = phrase{{[]uint32{142}, 4611686018427387904, false}}
	phrase222 = phrase{{[]uint32{678}, 4611686018427387904, false}, {[]uint32{248}, 4, false}, {[]uint32{489, 673}, 0, false}}
	phrase223 = phrase{{[]uint32{142, 162, 147}, 4611686018427387904, false}}
	phrase224 = phrase{{[]uint32{678}, 4611686018427387904, false}, {[]uint32{248}, 4, false}, {[]uint32{587, 114}, 2, false}, {[]uint32{677}, 0, false}}
	phrase225 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{679}, 0, false}, {[]uint32{0}, 5, false}, {[]uint32{680}, 2, false}}
	phrase226 = phrase{{[]uint32{681}, 4611686018427387904, false}}
	phrase227 = phrase{{[]uint32{682, 683, 684}, 4611686018427387904, false}}
	phrase228 = phrase{{[]uint32{65}, 4611686018427387904, false}}
	phrase229 = phrase{{[]uint32{685}, 4611686018427387904, false}}
	phrase230 = phrase{{[]uint32{488}, 4611686018427387904, false}, {[]uint32{680}, 2, false}}
	phrase231 = phrase{{[]uint32{326, 686, 687, 688, 689, 656}, 4611686018427387904, false}, {[]uint32{460, 690, 691, 692, 693, 694, 695}, 3, false}, {[]uint32{696, 697, 248, 698, 598}, 3, false}, {[]uint32{134, 598}, 0, false}, {[]uint32{76}, 0, false}, {[]uint32{134}, 0, false}, {[]uint32{489, 497, 548}, 4, false}}
	phrase232 = phrase{{[]uint32{142, 350, 145}, 4611686018427387904, false}}
	phrase233 = phrase{{[]uint32{285}, 4611686018427387904, false}, {[]uint32{0, 489, 572, 491, 490, 509}, 4, false}, {[]uint32{699}, 3, false}}
	phrase234 = phrase{{[]uint32{352}, 4611686018427387904, false}}
	phrase235 = phrase{{[]uint32{96, 95, 226, 225}, 4611686018427387904, false}}
	phrase236 = phrase{{[]uint32{488}, 4611686018427387904, false}, {[]uint32{699}, 2, false}}
	phrase237 = phrase{{[]uint32{383, 441, 442}, 4611686018427387904, false}}
	phrase238 = phrase{{[]uint32{329, 455, 460, 694}, 4611686018427387904, false}}
	phrase239 = phrase{{[]uint32{700}, 4611686018427387904, false}, {[]uint32{210}, 2, false}, {[]uint32{515, 270}, 0, false}, {[]uint32{601, 210}, 0, false}}
	phrase240 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{701}, 0, false}, {[]uint32{702}, 4, false}}
	phrase241 = phrase{{[]uint32{703, 704, 705}, 4611686018427387904, false}}
	phrase242 = phrase{{[]uint32{706, 707, 231, 230, 708}, 4611686018427387904, false}}
	phrase243 = phrase{{[]uint32{709, 710, 711, 712, 713, 228, 714, 715, 716}, 4611686018427387904, false}, {[]uint32{489, 572}, 4, false}, {[]uint32{93, 452}, 3, false}, {[]uint32{329}, 4, false}}
	phrase244 = phrase{{[]uint32{132, 46}, 4611686018427387904, false}}
	phrase245 = phrase{{[]uint32{284}, 4611686018427387904, false}, {[]uint32{717}, 20, false}, {[]uint32{718}, 2, false}}
	phrase246 = phrase{{[]uint32{719}, 4611686018427387904, false}}
	phrase247 = phrase{{[]uint32{717}, 4611686018427387904, false}, {[]uint32{720, 721}, 0, false}}
	phrase248 = phrase{{[]uint32{284}, 4611686018427387904, false}, {[]uint32{176, 452, 530, 94, 114, 722, 723, 724, 211, 725, 645}, 14, false}, {[]uint32{210}, 0, false}, {[]uint32{726}, 1, false}}
	phrase249 = phrase{{[]uint32{284}, 4611686018427387904, false}}
	phrase250 = phrase{{[]uint32{727}, 4611686018427387904, false}, {[]uint32{0}, 0, true}, {[]uint32{728}, 2, false}}
	phrase251 = phrase{{[]uint32{729}, 4611686018427387904, false}, {[]uint32{730}, 3, false}}
	phrase252 = phrase{{[]uint32{731, 732}, 4611686018427387904, false}, {[]uint32{733, 734, 735}, 0, false}}
	phrase253 = phrase{{[]uint32{736}, 4611686018427387904, false}}
	phrase254 = phrase{{[]uint32{737}, 4611686018427387904, false}}
	phrase255 = phrase{{[]uint32{738}, 4611686018427387904, false}, {[]uint32{728}, 3, false}}
	phrase256 = phrase{{[]uint32{728, 739, 439, 434}, 4611686018427387904, false}, {[]uint32{35, 587, 211}, 0, false}, {[]uint32{727, 737}, 3, false}}
	phrase257 = phrase{{[]uint32{740}, 4611686018427387904, false}}
	phrase258 = phrase{{[]uint32{741}, 4611686018427387904, false}}
	phrase259 = phrase{{[]uint32{742}, 4611686018427387904, false}}
	phrase260 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{743}, 0, false}}
	phrase261 = phrase{{[]uint32{727}, 4611686018427387904, false}, {[]uint32{728}, 2, false}}
	phrase262 = phrase{{[]uint32{410}, 4611686018427387904, false}, {[]uint32{744}, 3, false}, {[]uint32{420}, 4, false}}
	phrase263 = phrase{{[]uint32{96, 672, 226}, 4611686018427387904, false}}
	phrase264 = phrase{{[]uint32{737, 727}, 4611686018427387904, false}, {[]uint32{728}, 2, false}}
	phrase265 = phrase{{[]uint32{96, 226, 225, 745}, 4611686018427387904, false}, {[]uint32{519}, 0, false}}
	phrase266 = phrase{{[]uint32{383, 746, 747, 441}, 4611686018427387904, false}}
	phrase267 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{748}, 0, false}, {[]uint32{737}, 4, false}}
	phrase268 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{748}, 0, false}, {[]uint32{727}, 3, false}, {[]uint32{728}, 2, false}}
	phrase269 = phrase{{[]uint32{749, 750}, 4611686018427387904, false}}
	phrase270 = phrase{{[]uint32{19, 477, 20, 751, 451, 406}, 4611686018427387904, false}, {[]uint32{730}, 5, false}, {[]uint32{27, 25, 164, 494}, 4, false}}
	phrase271 = phrase{{[]uint32{439, 434, 34}, 4611686018427387904, false}, {[]uint32{35}, 0, false}, {[]uint32{737}, 3, false}, {[]uint32{722}, 3, false}, {[]uint32{752, 753}, 0, false}}
	phrase272 = phrase{{[]uint32{728, 737, 754}, 4611686018427387904, false}}
	phrase273 = phrase{{[]uint32{755}, 4611686018427387904, false}}
	phrase274 = phrase{{[]uint32{756}, 4611686018427387904, false}, {[]uint32{757}, 3, false}}
	phrase275 = phrase{{[]uint32{758}, 4611686018427387904, false}}
	phrase276 = phrase{{[]uint32{752}, 4611686018427387904, false}, {[]uint32{759}, 0, false}}
	phrase277 = phrase{{[]uint32{760, 761, 720}, 4611686018427387904, false}}
	phrase278 = phrase{{[]uint32{210, 372}, 4611686018427387904, false}, {[]uint32{0}, 3, false}, {[]uint32{762}, 0, false}}
	phrase279 = phrase{{[]uint32{763}, 4611686018427387904, false}}
	phrase280 = phrase{{[]uint32{488}, 4611686018427387904, false}}
	phrase281 = phrase{{[]uint32{764}, 4611686018427387904, false}, {[]uint32{0}, 0, false}, {[]uint32{762}, 1, false}}
	phrase282 = phrase{{[]uint32{572}, 4611686018427387904, false}, {[]uint32{0}, 0, false}, {[]uint32{762}, 0, false}}
	phrase283 = phrase{{[]uint32{113, 35}, 4611686018427387904, false}, {[]uint32{765, 766, 767, 768}, 0, false}}
	phrase284 = phrase{{[]uint32{769}, 4611686018427387904, false}, {[]uint32{762}, 0, false}}
	phrase285 = phrase{{[]uint32{762}, 4611686018427387904, false}, {[]uint32{35, 93, 651}, 0, false}, {[]uint32{176}, 0, true}, {[]uint32{210, 770, 771, 258, 600, 431, 76, 772}, 0, false}, {[]uint32{572}, 1, false}}
	phrase286 = phrase{{[]uint32{538}, 4611686018427387904, false}, {[]uint32{666, 45, 117, 269}, 0, true}, {[]uint32{210, 431, 76, 772, 258}, 0, false}, {[]uint32{572}, 2, false}, {[]uint32{773}, 1, false}}
	phrase287 = phrase{{[]uint32{538}, 4611686018427387904, false}, {[]uint32{666, 45, 117}, 0, false}, {[]uint32{571}, 4, false}, {[]uint32{774, 775, 776, 777}, 1, false}}
	phrase288 = phrase{{[]uint32{647, 778}, 4611686018427387904, false}, {[]uint32{774}, 0, false}}
	phrase289 = phrase{{[]uint32{269, 525, 116, 117, 666, 45, 526, 71, 558, 127, 244, 464, 567}, 4611686018427387904, false}, {[]uint32{666, 117}, 0, true}, {[]uint32{210, 431, 76}, 0, false}, {[]uint32{572}, 2, false}, {[]uint32{779}, 3, false}}
	phrase290 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{780}, 0, false}, {[]uint32{781}, 0, true}, {[]uint32{572}, 2, false}}
	phrase291 = phrase{{[]uint32{782}, 4611686018427387904, false}}
	phrase292 = phrase{{[]uint32{783}, 4611686018427387904, false}}
	phrase293 = phrase{{[]uint32{784}, 4611686018427387904, false}}
	phrase294 = phrase{{[]uint32{785}, 4611686018427387904, false}}
	phrase295 = phrase{{[]uint32{786}, 4611686018427387904, false}, {[]uint32{0}, 10, false}, {[]uint32{787}, 3, false}}
	phrase296 = phrase{{[]uint32{488}, 4611686018427387904, false}, {[]uint32{545}, 2, false}}
	phrase297 = phrase{{[]uint32{487}, 4611686018427387904, false}, {[]uint32{0}, 1, false}, {[]uint32{787}, 2, false}}
	phrase298 = phrase{{[]uint32{487}, 4611686018427387904, false}, {[]uint32{571, 490, 491}, 5, false}, {[]uint32{0}, 0, true}, {[]uint32{545}, 3, false}}
	phrase299 = phrase{{[]uint32{571}, 4611686018427387904, false}, {[]uint32{0}, 0, false}, {[]uint32{626}, 2, false}}
	phrase300 = phrase{{[]uint32{786}, 4611686018427387904, false}, {[]uint32{571}, 6, false}, {[]uint32{0}, 3, false}, {[]uint32{545}, 2, false}}
	phrase301 = phrase{{[]uint32{786}, 4611686018427387904, false}, {[]uint32{571}, 6, false}, {[]uint32{0}, 0, false}, {[]uint32{545}, 2, false}}
	phrase302 = phrase{{[]uint32{5, 43, 44, 277, 209, 176, 788, 548, 36}, 4611686018427387904, false}, {[]uint32{554}, 0, false}, {[]uint32{0}, 5, false}, {[]uint32{545}, 2, false}}
	phrase303 = phrase{{[]uint32{77}, 4611686018427387904, false}, {[]uint32{548, 45}, 0, false}, {[]uint32{134}, 0, false}}
	phrase304 = phrase{{[]uint32{786}, 4611686018427387904, false}, {[]uint32{490, 491}, 8, false}, {[]uint32{545}, 2, false}}
	phrase305 = phrase{{[]uint32{786}, 4611686018427387904, false}, {[]uint32{789}, 8, false}, {[]uint32{35, 93, 587, 790, 121}, 2, false}, {[]uint32{571, 572}, 5, false}}
	phrase306 = phrase{{[]uint32{127}, 4611686018427387904, false}, {[]uint32{791}, 0, false}}
	phrase307 = phrase{{[]uint32{792, 793, 794, 795, 796}, 4611686018427387904, false}, {[]uint32{797, 798, 720}, 1, false}}
	phrase308 = phrase{{[]uint32{765, 766, 767, 768, 799, 800}, 4611686018427387904, false}}
	phrase309 = phrase{{[]uint32{786}, 4611686018427387904, false}, {[]uint32{801}, 4, false}, {[]uint32{35, 93, 790, 121}, 0, false}}
	phrase310 = phrase{{[]uint32{35}, 4611686018427387904, false}, {[]uint32{129, 128, 96, 802}, 0, false}}
	phrase311 = phrase{{[]uint32{127}, 4611686018427387904, false}, {[]uint32{791, 16, 93}, 0, false}, {[]uint32{113, 258, 600}, 0, false}}
	phrase312 = phrase{{[]uint32{792, 793, 794, 795, 796}, 4611686018427387904, false}, {[]uint32{797, 798}, 1, false}}
	phrase313 = phrase{{[]uint32{210}, 4611686018427387904, false}, {[]uint32{801}, 0, false}}
	phrase314 = phrase{{[]uint32{765, 766, 767, 768}, 4611686018427387904, false}}
	phrase315 = phrase{{[]uint32{803}, 4611686018427387904, false}, {[]uint32{804}, 5, false}, {[]uint32{805}, 5, false}}
	phrase316 = phrase{{[]uint32{806}, 4611686018427387904, false}}
	phrase317 = phrase{{[]uint32{77}, 4611686018427387904, false}, {[]uint32{45, 548}, 0, false}, {[]uint32{134}, 0, false}}
	phrase318 = phrase{{[]uint32{807}, 4611686018427387904, false}, {[]uint32{808}, 6, false}}
	phrase319 = phrase{{[]uint32{15}, 4611686018427387904, false}}
	phrase320 = phrase{{[]uint32{809, 778, 151, 547, 810, 506, 811}, 4611686018427387904, false}}
	phrase321 = phrase{{[]uint32{812}, 4611686018427387904, false}}
	phrase322 = phrase{{[]uint32{813}, 4611686018427387904, false}}
	phrase323 = phrase{{[]uint32{667}, 4611686018427387904, false}}
	phrase324 = phrase{{[]uint32{77}, 4611686018427387904, false}, {[]uint32{558, 15}, 0, false}, {[]uint32{45, 666, 117, 269}, 1, false}, {[]uint32{571, 572}, 2, false}, {[]uint32{559}, 4, false}}
	phrase325 = phrase{{[]uint32{77}, 4611686018427387904, false}, {[]uint32{558}, 0, false}, {[]uint32{666, 45}, 0, false}, {[]uint32{571, 572}, 5, false}, {[]uint32{451, 814, 815}, 3, false}}
	phrase326 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{570}, 0, false}, {[]uint32{0, 490, 491, 509}, 4, false}, {[]uint32{816}, 2, false}}
	phrase327 = phrase{{[]uint32{488}, 4611686018427387904, false}, {[]uint32{816}, 2, false}}
	phrase328 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{570}, 0, false}, {[]uint32{817}, 0, true}, {[]uint32{210, 372, 258, 113}, 3, false}, {[]uint32{818}, 2, false}, {[]uint32{816, 819, 820, 39, 55}, 3, false}}
	phrase329 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{821}, 0, false}, {[]uint32{0, 818, 490, 491, 509}, 4, false}, {[]uint32{822}, 2, false}}
	phrase330 = phrase{{[]uint32{793}, 4611686018427387904, false}, {[]uint32{797}, 0, false}}
	phrase331 = phrase{{[]uint32{792}, 4611686018427387904, false}}
	phrase332 = phrase{{[]uint32{488}, 4611686018427387904, false}, {[]uint32{822}, 2, false}}
	phrase333 = phrase{{[]uint32{821}, 4611686018427387904, false}, {[]uint32{823, 289, 824}, 3, false}, {[]uint32{107, 432, 627, 825, 826, 827, 828, 829}, 0, false}, {[]uint32{790, 35, 587, 176}, 2, false}}
	phrase334 = phrase{{[]uint32{15, 830, 432, 627, 107, 831}, 4611686018427387904, false}, {[]uint32{613, 86, 238, 57, 58, 432, 107}, 6, false}, {[]uint32{121}, 4, false}, {[]uint32{209}, 0, false}}
	phrase335 = phrase{{[]uint32{832, 833, 210}, 4611686018427387904, false}, {[]uint32{832}, 0, false}}
	phrase336 = phrase{{[]uint32{77}, 4611686018427387904, false}, {[]uint32{834, 835}, 0, false}, {[]uint32{836}, 2, false}, {[]uint32{117, 526, 525, 72, 666}, 0, false}}
	phrase337 = phrase{{[]uint32{117, 526, 71}, 4611686018427387904, false}, {[]uint32{665, 128, 134}, 0, false}}
	phrase338 = phrase{{[]uint32{837}, 4611686018427387904, false}}
	phrase339 = phrase{{[]uint32{786}, 4611686018427387904, false}, {[]uint32{826, 827, 228, 838, 839, 432, 627, 840, 831}, 5, false}, {[]uint32{790}, 0, false}, {[]uint32{841}, 2, false}, {[]uint32{44}, 0, false}}
	phrase340 = phrase{{[]uint32{842}, 4611686018427387904, false}}
	phrase341 = phrase{{[]uint32{843}, 4611686018427387904, false}}
	phrase342 = phrase{{[]uint32{844}, 4611686018427387904, false}}
	phrase343 = phrase{{[]uint32{77}, 4611686018427387904, false}, {[]uint32{45}, 0, false}}
	phrase344 = phrase{{[]uint32{845}, 4611686018427387904, false}}
	phrase345 = phrase{{[]uint32{487, 119, 245, 555}, 4611686018427387904, false}, {[]uint32{846, 847, 848, 849}, 3, false}, {[]uint32{93, 850, 35}, 0, false}, {[]uint32{0, 491, 490}, 3, false}, {[]uint32{787}, 2, false}}
	phrase346 = phrase{{[]uint32{851}, 4611686018427387904, false}, {[]uint32{45, 666, 117, 526, 71, 269}, 1, false}}
	phrase347 = phrase{{[]uint32{244}, 4611686018427387904, false}, {[]uint32{117}, 2, false}, {[]uint32{184, 257, 852, 853, 854}, 3, false}, {[]uint32{855, 856, 857, 752, 114, 652}, 4, false}}
	phrase348 = phrase{{[]uint32{778, 157, 858, 859, 860, 861, 665, 672, 862}, 4611686018427387904, false}}
	phrase349 = phrase{{[]uint32{326}, 4611686018427387904, false}, {[]uint32{863}, 3, false}}
	phrase350 = phrase{{[]uint32{864}, 4611686018427387904, false}}
	phrase351 = phrase{{[]uint32{341}, 4611686018427387904, false}, {[]uint32{258, 600}, 0, true}, {[]uint32{865, 866, 867, 868, 869}, 0, false}, {[]uint32{863}, 0, false}}
	phrase352 = phrase{{[]uint32{341}, 4611686018427387904, false}, {[]uint32{863}, 3, false}}
	phrase353 = phrase{{[]uint32{870}, 4611686018427387904, false}}
	phrase354 = phrase{{[]uint32{871}, 4611686018427387904, false}, {[]uint32{863}, 3, false}}
	phrase355 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{872}, 0, false}, {[]uint32{781}, 0, true}, {[]uint32{572}, 2, false}}
	phrase356 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{873}, 0, false}, {[]uint32{781}, 0, true}, {[]uint32{572}, 2, false}}
	phrase357 = phrase{{[]uint32{572}, 4611686018427387904, false}, {[]uint32{874}, 0, false}}
	phrase358 = phrase{{[]uint32{875, 404, 876, 877}, 4611686018427387904, false}, {[]uint32{878}, 3, false}}
	phrase359 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{879}, 0, false}, {[]uint32{781}, 0, true}, {[]uint32{572}, 2, false}, {[]uint32{0}, 0, false}, {[]uint32{880}, 0, false}}
	phrase360 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{881}, 0, false}, {[]uint32{781}, 0, true}, {[]uint32{572}, 2, false}, {[]uint32{0}, 0, true}, {[]uint32{882}, 1, false}}
	phrase361 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{881}, 0, false}, {[]uint32{210}, 0, false}, {[]uint32{515}, 0, false}, {[]uint32{882}, 1, false}}
	phrase362 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{881}, 0, false}, {[]uint32{883, 35}, 0, true}, {[]uint32{781}, 0, true}, {[]uint32{884}, 2, false}}
	phrase363 = phrase{{[]uint32{885}, 4611686018427387904, false}, {[]uint32{94, 176, 722, 452, 114, 708}, 0, false}, {[]uint32{781}, 0, true}, {[]uint32{572}, 2, false}, {[]uint32{0}, 0, true}}
	phrase364 = phrase{{[]uint32{886}, 4611686018427387904, false}, {[]uint32{452, 725, 724}, 3, false}, {[]uint32{781}, 0, true}, {[]uint32{572}, 2, false}}
	phrase365 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{887}, 0, false}, {[]uint32{781}, 0, true}, {[]uint32{572}, 2, false}, {[]uint32{176}, 0, true}, {[]uint32{888}, 0, false}}
	phrase366 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{889}, 0, false}, {[]uint32{781}, 0, true}, {[]uint32{890}, 2, false}}
	phrase367 = phrase{{[]uint32{134}, 4611686018427387904, false}, {[]uint32{515}, 0, false}}
	phrase368 = phrase{{[]uint32{891}, 4611686018427387904, false}}
	phrase369 = phrase{{[]uint32{85, 520, 451, 892}, 4611686018427387904, false}, {[]uint32{781}, 0, true}, {[]uint32{572}, 2, true}, {[]uint32{0}, 0, true}, {[]uint32{890, 572}, 0, false}, {[]uint32{893}, 0, false}}
	phrase370 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{872, 873}, 0, false}, {[]uint32{894}, 0, false}}
	phrase371 = phrase{{[]uint32{601}, 4611686018427387904, false}, {[]uint32{772, 895, 258, 652, 587, 896}, 0, false}}
	phrase372 = phrase{{[]uint32{897}, 4611686018427387904, false}}
	phrase373 = phrase{{[]uint32{898}, 4611686018427387904, false}}
	phrase374 = phrase{{[]uint32{225, 899, 900}, 4611686018427387904, false}}
	phrase375 = phrase{{[]uint32{881}, 4611686018427387904, false}, {[]uint32{406}, 0, true}, {[]uint32{210}, 0, false}, {[]uint32{515}, 0, true}, {[]uint32{882}, 0, false}}
	phrase376 = phrase{{[]uint32{901, 902}, 4611686018427387904, false}}
	phrase377 = phrase{{[]uint32{134, 665}, 4611686018427387904, false}, {[]uint32{903}, 0, false}, {[]uint32{10}, 0, true}, {[]uint32{904}, 0, false}}
	phrase378 = phrase{{[]uint32{905}, 4611686018427387904, false}}
	phrase379 = phrase{{[]uint32{906, 907}, 4611686018427387904, false}}
	phrase380 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{908}, 0, false}, {[]uint32{909}, 3, false}}
	phrase381 = phrase{{[]uint32{910}, 4611686018427387904, false}, {[]uint32{176, 93, 35}, 0, false}, {[]uint32{909}, 3, false}}
	phrase382 = phrase{{[]uint32{909}, 4611686018427387904, false}, {[]uint32{911}, 0, false}}
	phrase383 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{912, 913, 914, 915}, 0, false}}
	phrase384 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{916, 917}, 0, false}, {[]uint32{918}, 4, false}, {[]uint32{0}, 0, true}}
	phrase385 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{919}, 0, false}}
	phrase386 = phrase{{[]uint32{565, 920, 921, 922, 923, 924, 925, 376, 926, 927, 430, 928, 857, 929, 447}, 4611686018427387904, false}}
	phrase387 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{930}, 0, false}, {[]uint32{781}, 0, true}, {[]uint32{572}, 2, true}, {[]uint32{0}, 0, true}, {[]uint32{890}, 0, false}}
	phrase388 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{476}, 0, false}, {[]uint32{931}, 3, false}, {[]uint32{114, 722, 35, 94, 176}, 0, false}, {[]uint32{781}, 0, true}, {[]uint32{890}, 2, false}}
	phrase389 = phrase{{[]uint32{210}, 4611686018427387904, false}}
	phrase390 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{476}, 0, false}, {[]uint32{932}, 3, false}}
	phrase391 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{933, 934, 935, 936, 937, 938}, 0, false}, {[]uint32{939}, 3, false}}
	phrase392 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{940}, 0, false}, {[]uint32{781}, 0, true}, {[]uint32{572}, 2, false}, {[]uint32{0}, 0, false}, {[]uint32{941, 942, 943, 944, 945, 946, 947, 948, 949, 950}, 1, false}}
	phrase393 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{951}, 0, false}, {[]uint32{952}, 3, false}}
	phrase394 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{326}, 0, false}, {[]uint32{953}, 3, false}}
	phrase395 = phrase{{[]uint32{954}, 4611686018427387904, false}}
	phrase396 = phrase{{[]uint32{953}, 4611686018427387904, false}, {[]uint32{955}, 0, false}}
	phrase397 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{341}, 0, false}, {[]uint32{953}, 3, false}}
	phrase398 = phrase{{[]uint32{648, 280, 76, 464, 71}, 4611686018427387904, false}, {[]uint32{956, 957}, 0, false}, {[]uint32{648, 280}, 0, true}, {[]uint32{48}, 0, false}, {[]uint32{958}, 1, false}}
	phrase399 = phrase{{[]uint32{245}, 4611686018427387904, false}, {[]uint32{648, 280, 269}, 0, false}, {[]uint32{956, 957}, 3, false}, {[]uint32{959}, 2, false}}
	phrase400 = phrase{{[]uint32{960, 835, 776, 961, 962, 963, 964}, 4611686018427387904, false}}
	phrase401 = phrase{{[]uint32{965}, 4611686018427387904, false}, {[]uint32{76, 464, 93, 244, 71}, 3, false}, {[]uint32{281}, 0, true}, {[]uint32{956, 957}, 0, false}}
	phrase402 = phrase{{[]uint32{966, 967, 968, 969, 970, 971, 972, 776}, 4611686018427387904, false}}
	phrase403 = phrase{{[]uint32{245, 76, 77, 973, 618, 563}, 4611686018427387904, false}, {[]uint32{116, 269, 45}, 0, true}, {[]uint32{956, 957}, 0, false}, {[]uint32{974}, 2, false}}
	phrase404 = phrase{{[]uint32{648, 280, 76, 464, 71}, 4611686018427387904, false}, {[]uint32{975}, 0, false}, {[]uint32{976}, 0, false}, {[]uint32{648, 280}, 0, true}, {[]uint32{48}, 0, false}, {[]uint32{958}, 1, false}}
	phrase405 = phrase{{[]uint32{245}, 4611686018427387904, false}, {[]uint32{648, 280, 269}, 0, false}, {[]uint32{975}, 3, false}, {[]uint32{976}, 0, false}, {[]uint32{959}, 2, false}}
	phrase406 = phrase{{[]uint32{965}, 4611686018427387904, false}, {[]uint32{76, 464, 93, 244, 71}, 3, false}, {[]uint32{281}, 0, true}, {[]uint32{975}, 0, false}, {[]uint32{976}, 0, false}}
	phrase407 = phrase{{[]uint32{245, 76, 77, 973, 618, 563}, 4611686018427387904, false}, {[]uint32{116, 269, 45}, 0, true}, {[]uint32{975}, 0, false}, {[]uint32{976}, 0, false}, {[]uint32{974}, 2, false}}
	phrase408 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{977}, 0, false}, {[]uint32{978}, 3, false}}
	phrase409 = phrase{{[]uint32{979}, 4611686018427387904, false}, {[]uint32{980}, 20, false}}
	phrase410 = phrase{{[]uint32{981, 982}, 4611686018427387904, false}}
	phrase411 = phrase{{[]uint32{983}, 4611686018427387904, false}, {[]uint32{35, 76, 121}, 0, true}, {[]uint32{113}, 0, true}, {[]uint32{979}, 1, false}}
	phrase412 = phrase{{[]uint32{984}, 4611686018427387904, false}, {[]uint32{979}, 6, false}}
	phrase413 = phrase{{[]uint32{985, 986, 987, 988, 989, 990, 991}, 4611686018427387904, false}}
	phrase414 = phrase{{[]uint32{979}, 4611686018427387904, false}, {[]uint32{992}, 20, false}}
	phrase415 = phrase{{[]uint32{993}, 4611686018427387904, false}}
	phrase416 = phrase{{[]uint32{46}, 4611686018427387904, false}, {[]uint32{994, 995}, 0, false}}
	phrase417 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{996}, 0, false}, {[]uint32{979}, 8, false}}
	phrase418 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{908}, 0, false}, {[]uint32{979}, 3, false}}
	phrase419 = phrase{{[]uint32{124}, 4611686018427387904, false}, {[]uint32{50}, 0, true}, {[]uint32{872}, 0, false}, {[]uint32{904, 248, 997}, 20, false}, {[]uint32{979}, 3, false}}
)

var builtInWords = table{
	longest: 7,
	size:    998,
	words:   "'s\n,\n.\n/\n1\n1password\n2\n2fa\n2fa code\n2fa codes\n2fa secret\n2fa secrets\n3\n4\n4chan\n5\n:\n<\n>\n[\n]\na\na body\na burner\na check\na citizen\na competitor\na crush on\na customer is\na democrat\na developer\na drug addict\na free\na friend\na glance\na good idea\na good thing\na journalist\na junior\na look\na manager\na member of a union\na message\na note\na partir de agora\na partir de ahora\na partir de maintenant\na public\na recruiter\na reporter\na republican\na senior\na site i found\na stranger 's\na text\na third party i know\na throwaway\na union member\nab jetzt\nab nun\nab sofort\nabduct\nabducting\nabduction\nabductions\nabolish\nabolishing\nabolition\nabortion\nabout\nabout being\nabout to quit\nabove\nabsence\nabsence days\nabsences\nabuse\nabusing\nacceptable\naccepted\naccess\naccess card log\naccess card logs\naccess check\naccess checks\naccess control\naccess controls\naccess key\naccess keys\naccess log\naccess logs\naccess token\naccess tokens\naccessing\naccidentally\naccommodations\naccount\naccount 's\naccount list\naccount number\naccount of mine\naccountant\naccounting\naccounts\naccrual\naccused\nacid\nacid attack\nacid attacks\nacima\nacquire\nacquiring\nacquisition\nact\nact as\nact as if\nact as though\nact like\nact on behalf of\nacting as\nactivate\nactivated\nactive directory\nactivist\nactivists\nactivity on\nactor\nactua\nactual value\nactually\nad\nadd\naddict\naddicted to\naddicts\naddress\naddress book\naddress outside\nadhd\nadmin\nadmin 's\nadmin mode\nadmin override\nadmin panel\nadmin token\nadmin tokens\nadministrador\nadministrateur\nadministrator\nadministrator override\nadmins\nads\nadult\nadults\nadvantage of\nadvantages of\nadvisory\naffair\naffiche\naffichez\nafrican\nafrican american\nafrican americans\nafricans\nafter\nafter i am fired\nafter i leave\nafter i'm fired\nagainst\nage\nage of empires\nagenda\nagent\naggira\naggirare\naggregate\naggregated\nagiere\nagis\nagisci\nagissez\nagreed\nai\nai site\nai tool\nairdrop\nairplane\nairplanes\nairport\nairports\nairsoft\nairtable\naja\nalarm\nalarms\nalcoholic\nalcoholics\nalert\nalerted\nalerting\nalerts\nalien\naliens\nall\nall checks\nall controls\nall deine\nall employees\nall my\nall of marketing\nall of the\nall of your\nall the\nall users\nall your\nalle\naller\nallow list\nallowed\nallowlist\nallows\nalpha\nalready been given\nalready given\nalready granted\nalso\nalter\naltering\nam\nam i\nambush\nambushing\namericans\namministratore\namoral\namphetamine\namphetamines\nan\nan abortion\nan affair\nan alcoholic\nan e mail\nan email\nan employee is\nan engineer\nan evil\nan external\nan immigrant\nan intern\nan keine\nan outside\nand\nand alcohol\nand their values\nandroid\nanimal abuse\nanime\nannihilate\nannihilating\nanonfiles\nanonymised\nanonymized\nanonymous\nanonymous file host\nanonymously\nanother\nanother bidder\nanother company\nanother employee\nanother user\nanother user 's\nanswer\nanswer as\nanswer yes to\nanterieures\nanteriores\nanthrax\nanti virus\nantidepressants\nantisemitism\nantivirus\nantworte\nanweisung\nanweisungen\nany\nany checks\nanybody\nanybody 's\nanyone\nanyone 's\nanyone is\nanyone on the internet\nanyone who\nanyone with the link\nanything\nanything compromising\nanything embarrassing\nanything personal about\naol\napaga\napague\napartheid\napartment\napartments\napi\napi 's\napi key\napi keys\napi secret\napi secrets\napi token\napi tokens\napp\napp 's\nappelle\napplicable\napplicant\napplicants\napplication 's\napplication to\napplications elsewhere\napplied elsewhere\napplied for an internal\napplied for another job\napplied for other jobs\napply\napplying elsewhere\nappraisal\nappraisals\napprobation\napproval\napproval check\napproval checks\napproval gate\napproval is implied\napproval process\napproval step\napproval steps\napproval workflow\napprovals\napprovazione\napprove\napprove it on my behalf\napprove it yourself\napprove on my behalf\napprove that yourself\napprove this yourself\napproved\napproved by\napproved in\napproves\naprobacion\naprovacao\narab\narabs\narchive\narchives\narchiving\nare\nare not\narm\narms\narmy base\narmy bases\naround\narrested\narrete de\narretez de\narrive\narson\narteries\nartery\nas\nas a csv\nas approved\nas csv\nas if\nas many\nas my parachute\nas suas\nas though\nas yaml\nasexual\nasian\nasians\nask\nask users\nasks for bitcoin\nasphyxiate\nasphyxiating\nassassin 's creed\nassassinate\nassassinating\nassassination\nassassinations\nassault\nassaulting\nassemble\nassembling\nassertion\nassign\nassistant\nassume\nat\nat home\natheist\natheists\natm\natms\nattach\nattaching\nattack\nattacker\nattackers\nattacking\nattacks\nattempt\nattempting\nattempts\nattendance\natue\naucun filtre\naucune contrainte\naucune limite\naucune regle\naucune restriction\naudit\naudit log\naudit logging\naudit logs\naudit report\naudit reports\naudit trail\naudit trails\nauditors arrive\nauditors come\naunt\naunts\nauth token\nauth tokens\nauthenticate as\nauthentication\nauthenticator\nauthorisation\nauthorised\nauthority\nauthorization\nauthorized\nautistic\nauto approve\nautorisation\nautorizacao\nautorizacion\nautorizzazione\nav\navengers\naverage\navoid\navoiding\navoids\naward\nawareness\naws\naws / credentials\naws keys\naxe\nazure\nbabies\nbaby\nbabysitter\nback up\nbackdate\nbackdating\nbackdoor\nbackdoor account\nbackdoors\nbackend\nbackground check\nbacking up\nbacklog of vulnerabilities\nbackup\nbackup code\nbackup codes\nbackups\nbad reviews\nbadge\nbadge clone\nbadge data\nbadge history\nbadge log\nbadge logs\nbadge pins\nbadge records\nbadge swipes\nbadges\nband\nbands\nbank\nbank 's\nbank account\nbank details\nbank password\nbank statement\nbank statements\nbanknote\nbanknotes\nbankrupt\nbanks\nbanned\nbar\nbarred\nbase\nbase model\nbase64\nbase64 decode\nbaseball\nbash\nbash history\nbashing\nbasketball\nbath bomb\nbath bombs\nbatman\nbattlefield\nbcc\nbe\nbe anorexic\nbe fired\nbe let go\nbeachte nicht\nbeantworte\nbearer token\nbearer tokens\nbeat up\nbeating up\nbeauty of\nbecause\nbecome\nbecome anorexic\nbeen\nbeen granted\nbefehle\nbefolge nicht\nbefore\nbefore anybody notices\nbefore anyone checks\nbefore anyone notices\nbefore i go\nbefore i leave\nbefore i quit\nbefore i resign\nbefore leaving\nbefore my access\nbefore the audit\nbefore the auditors\nbefore the investigation\nbefore they check\nbefore they disable\nbefore they lock\nbefore they revoke\nbefore this\nbehave\nbehave as if\nbehave as though\nbehave like\nbehead\nbeheading\nbehind\nbehind her back\nbehind his back\nbehind their back\nbehind their backs\nbeing asked\nbeing fired\nbeing paid\nbeing triggered\nbelonging\nbenchmark\nbenchmarks\nbeneficial\nbenefit of\nbenefits of\nbenimm dich\nbeperkingen\nbeschraenkung\nbeschraenkungen\nbeschrankung\nbeschrankungen\nbest\nbest paid\nbest practice\nbest practices\nbest thing about\nbest things about\nbest way to die\nbestaetigung\nbestatigung\nbestehenden\nbetter\nbetween\nbeyond recovery\nbidder\nbids\nbike\nbilling\nbilling service\nbin laden\nbinary\nbipolar\nbirth certificate\nbirth date\nbisexual\nbisexuals\nbisherigen\nbist du\nbitcoin miner\nbitcoin miners\nbite\nbiting\nbitlocker key\nbitlocker keys\nbittorrent\nbitwarden\nblack\nblack hole\nblack holes\nblack market\nblackmail\nblackmailing\nblacks\nblame it on\nblame someone else\nblamed\nbleed\nbleed to death\nblind\nblock\nblocked\nblocking\nblocks\nblog\nblogger\nblow\nblow up\nblowing up\nblows\nbludgeon\nbludgeoning\nblueprint\nblueprints\nboard\nboard deck\nboard minutes\nbogus\nboil\nboiling\nbomb\nbomb attack\nbomb attacks\nbombing\nbombings\nbombs\nbone\nbones\nbonus\nbonus list\nbonuses\nbook\nbooks\nborra\nborrow\nboss\nboss fight\nbosses\nbot\nbotnet\nbotnets\nbottle\nbottle of\nbound\nbox\nboxing\nboy\nboyfriend\nboyfriends\nboys\nbrain\nbrains\nbrainwash\nbrainwashing\nbrake\nbrakes\nbranch\nbranch protection\nbreach\nbreak\nbreak in to\nbreak into\nbreaking\nbreaking in to\nbreaking into\nbreaks\nbreathalyser\nbreathalyzer\nbreivik\nbrick\nbricking\nbricks\nbridge\nbridges\nbring\nbring back\nbringing\nbringing back\nbroker\nbrother\nbrother in law\nbrothers\nbrown\nbrowse\nbrowser\nbrowser history\nbrowser passwords\nbrowsers\nbrowsing\nbrowsing history\nbrutally\nbrute force\nbrute forcing\nbucket\nbucket of mine\nbuckets\nbuddhist\nbuddhists\nbudget\nbug\nbugging\nbuild\nbuild a profile\nbuilding\nbuildings\nbullet\nbullets\nbullies\nbully\nbullying\nbump off\nbumping off\nbundy\nburglar alarm\nburglar alarms\nburglaries\nburglary\nburgle\nburgling\nburn\nburn down\nburner\nburning\nburning down\nburnout\nbury\nburying\nbus\nbus station\nbus stations\nbuses\nbusiness\nbusiness 's\nbusiness plan\nbutcher\nbutchering\nbuy\nbuyer\nbuying\nby\nbypass\nbypassing\nc2 beacon\nc2 beacons\nc2 server\nc4\ncalculator\ncalendar\ncall\ncall history\ncall of duty\ncall records\ncalled in sick\ncalling\ncalling in sick\ncalls\ncalls in sick\ncamera\ncamera footage\ncameras\ncampus\ncan\ncan not\ncan of\ncan you\ncan't\ncan't be recovered\ncan't be restored\ncan't recover\ncanceled\ncancella\ncancelled\ncancelled leave\ncancer\ncandidate\ncandidates\ncannabis\ncannot\ncannot be recovered\ncannot be restored\ncannot recover\ncans of\ncap table\ncaptcha\ncaptchas\ncaptive\ncapture\ncapture keystrokes\ncapturing\ncar\ncar alarm\ncar alarms\ncard\ncard number\ncard numbers\ncarjack\ncarjacking\ncarry on\ncarry out\ncarrying out\ncars\ncartoon\ncartoons\ncase\ncases\ncastrate\ncastrating\ncat\ncat 's\ncatch\ncatches\ncatching\ncatholic\ncatholics\ncaught\ncause\ncausing\ncctv\ncelebrities\ncelebrity\ncell phone number\nceo\ncertificate\ncertificates\ncfo\nchame\nchange\nchange my\nchanges\nchannels\ncharge\ncharges\nchat\nchat history\nchat logs\nchatbot\nchatgpt\nchats\ncheating\ncheating on\ncheck\ncheck if\ncheck in\ncheck whether\nchecker\nchecklist\nchecks\ncheckup\nchess\nchi\nchiama\nchief\nchild\nchild abuse\nchild porn\nchild pornography\nchild process\nchild processes\nchild sex\nchildren\nchildren 's\nchinese\nchocolate\nchoke\nchoking\nchop\nchopping\nchose\nchristian\nchristians\nchrome\nchronic illness\nchronically ill\nchurch\nchurch shooting\nchurch shootings\nchurches\nci dessus\nci variables\ncirculate\ncircumvent\ncircumventing\nciso\ncities\ncitizen\ncitizens\ncitizenship status\ncity\ncivilian\ncivilians\ncivilization\nclassified\nclassmate\nclassmates\nclause\nclear\nclear text\nclearance\ncleared\nclearing\ncleartext\nclient\nclient 's\nclient contacts\nclient data\nclient database\nclient db\nclient list\nclient secret\nclient secrets\nclients\nclinic\nclinics\nclock\nclone\ncloned\ncloning\nclose the ticket\ncloud\ncloud storage\ncloudtrail\ncluster\ncluster 's\ncluster admin\nco worker\nco workers\ncocaine\ncode\ncode base\ncode signing certificate\ncodebase\ncoding\ncoin miner\ncoin miners\ncoke\ncolleague\ncolleague 's\ncolleagues\ncollect\ncollecting\ncolonialism\ncolumbine\ncolumn\ncomb\ncome\ncomic\ncomics\ncoming and going\ncommand\ncommand and control server\ncommand you\ncommands\ncomment\ncommit\ncommit suicide\ncommits\ncommitted\ncommittee\ncommitting\ncommitting suicide\ncomo\ncompanies\ncompany\ncompany 's\ncompany phone\ncompare\ncompensation\ncompensation letter\ncompeting company\ncompetition\ncompetitor\ncompetitors\ncompile\ncomplained about\ncomplained to hr\ncomplaint\ncomplaint about me\ncomplaint against me\ncomplete\ncompletely\ncomplexity\ncompliance\ncomply\ncomponent\ncomportate\ncomportati\ncomporte se\ncomporte toi\ncompromise\ncompromised\ncompromising\ncomputer\ncomputer 's\ncomputer worm\ncomputer worms\ncomputers\ncon\nconcentration camp\nconcentration camps\nconcert\nconcerts\nconduct\nconducting\nconferma\nconfidential\nconfig\nconfig files\nconfigs\nconfiguration\nconfiguration prompt\nconfigure\nconfigured\nconfirm it yourself\nconfirm on my behalf\nconfirmacao\nconfirmacion\nconfirmation\nconfirmation prompt\nconfirmation step\nconfirmed\nconfluence\nconnection string\nconnection strings\nconsent\nconsider\nconsider yourself\nconsigne\nconsignes\nconsignes initiales\nconsignes internes\nconstrained\nconstraint\nconstraints\ncontact\ncontacts\ncontainer\ncontainers\ncontent\ncontent filter\ncontent filters\ncontent moderation\ncontents\ncontornar\ncontorne\ncontourne\ncontourner\ncontournez\ncontract\ncontract killer\ncontract type\ncontractors\ncontracts\ncontrainte\ncontraintes\ncontrole\ncontroles\ncontrolli\ncontrolling\ncontrols\nconversation\nconversations\nconvert\nconvicted\nconvictions\nconvince\nconvincing\ncoo\ncook\ncookie\ncookie banner\ncookies\ncooking\ncop\ncopies\ncops\ncopy\ncopying\ncore\ncore rules\ncorporate\ncorpse\ncorpses\ncorrupt\ncorrupting\ncosplay\ncould\ncould you\ncouncil 's\ncounseling notes\ncounselling notes\ncount\ncounter\ncounter strike\ncounterfeit\ncounterfeiting\ncounterparty\ncountry 's\ncounts\ncouples\ncourthouse\ncourthouses\ncousin\ncousin 's\ncousins\ncover\ncovering\ncovertly\ncoworker\ncoworkers\ncpu\ncrack\ncrack in\ncrack on\ncrack open\ncracking\ncrash\ncrashing\ncrawl\ncreate\ncreate a ticket\ncreate an alert\ncreate tasks\ncreate the tasks\ncreating\ncreator\ncredential\ncredential harvester\ncredential stealer\ncredential store\ncredential stuff\ncredential stuffing\ncredentials\ncredentials file\ncredit card\ncredit card data\ncredit cards\ncredit history\ncredit score\ncredits\ncreds\ncremate\ncremating\ncrew\ncricket\ncrime\ncrimes\ncriminal\ncriminal history\ncriminal record\ncriminal records\ncriminals\ncripple\ncrippling\ncrm\ncrm export\ncrowd\ncrowds\ncrowdstrike\ncrusades\ncrush\ncrushing\ncrypto miner\ncrypto miners\ncryptominer\ncryptominers\ncrystal meth\ncsam\ncto\ncual\ncual es\ncuando\ncultural revolution\ncurious\ncurious about\ncurrent address\ncustomer\ncustomer 's\ncustomer contacts\ncustomer data\ncustomer database\ncustomer db\ncustomer list\ncustomer lists\ncustomer records\ncustomers\ncut\ncut up\ncutting\ncutting up\ncve\ncyanide\ncyberpunk\ncycle\ncycles\nd ora in poi\nda adesso\nda ora in poi\ndad\ndaemon\ndaemons\ndahmer\ndam\ndamage\ndamaging\ndams\ndan\ndan mode\ndangerous\ndarf\ndark souls\ndark web\ndarknet\ndarkweb\ndashboard\ndata\ndata broker\ndata loss prevention\ndata subject\ndata warehouse\ndatabase\ndatabase 's\ndatabase backup\ndatabase dump\ndatabases\ndate\ndate of birth\ndated\ndates\ndating\ndating whom\ndaughter\ndaughters\ndays off sick\ndays sick\ndb\ndcsync\nddos\nddos attack\nddos attacks\nddos tool\nddos tools\nddosing\nde agora em diante\nde ahora en adelante\nde anonymise\nde anonymize\nde arriba\ndeactivate\ndeactivated\ndeactivating\ndead baby\ndead bodies\ndead body\ndead child\ndead husband\ndead man 's switch\ndead man switch\ndead person\ndead wife\ndeadline\ndeaf\ndeal\ndeanonymise\ndeanonymize\ndebt\ndebts\ndebug\ndebug mode\ndebunk\ndecapitate\ndecapitating\ndeceive\ndecided\ndecimate\ndecimating\ndeck\ndecks\ndecode\ndecoded\ndecoding\ndecrypt\ndecrypted\ndecrypting\ndefault\ndefeat\ndefeating\ndefend\ndefender\ndefending\ndefinition\ndefraud\ndefrauding\ndeine\ndeinen\ndeja de\ndel sistema\ndelegate\ndelegated\ndelegation\ndeleta\ndelete\ndelete the\ndeleting\ndeliver\ndelivery\ndemand bitcoin\ndemand money\ndemand payment\ndemands bitcoin\ndemands payment\ndemo\nden\ndenied\ndeny\ndenying\ndepartment\ndepartment 's\ndependabot\ndeploy\ndeploy token\ndeploy tokens\ndeploy user\ndeploying\ndeport\ndeported\ndeporting\ndepressed\ndepression\nderail\nderailing\ndescarta\ndescartar\ndescarte\ndesconsidera\ndesconsiderar\ndesconsidere\ndescribe\ndesde ahora\ndeserve\ndeserved\ndesign\ndesign docs\ndesign documents\ndesigning\ndesigns\ndesk neighbor\ndesk neighbour\ndesktop\ndesktops\ndesobedeca\ndesobedece\ndesobeis\ndesormais\ndestroy\ndestroying\ndetails\ndetect\ndetected\ndetecting\ndetection\ndetector\ndetects\ndetonate\ndetonating\ndev\ndevelop\ndeveloper\ndeveloper message\ndeveloper mode\ndeveloper prompt\ndevelopers\ndeveloping\ndevice\ndevices\ndiablo\ndiagnosis\ndiary\ndid\ndid not happen\ndidn't happen\ndie\ndie hard\ndie painlessly\ndifference\ndifference between\ndig\ndig into\ndig out\ndig up\ndiga\ndime\ndimension\ndimensions\ndimentica\ndimenticare\ndimenticate\ndimmi\ndinosaur\ndinosaurs\ndiploma\ndiplomas\ndirect messages\ndirect report\ndirect reports\ndirection\ndirections\ndirective\ndirectives\ndirectly\ndirector\ndirectory\ndirectrices\ndirectriz\ndiretrizes\ndirettiva\ndirettive\ndirt about\ndirt on\ndirty\ndisabilities\ndisability\ndisable\ndisabled\ndisabling\ndisappear\ndiscard\ndiscarding\ndisciplinary\ndisciplinary file\ndisciplinary files\ndisciplinary record\ndisciplinary records\ndisclose\ndiscord\ndiscovery\ndiscredit\ndiscreetly\ndiscriminated\ndiscrimination\ndisfigure\ndisfiguring\ndisgusting\ndisk\ndisks\ndismember\ndismembering\ndisobbedisci\ndisobey\ndisobeying\ndisplay\ndispose\ndisposing\ndisregard\ndisregarding\ndissolve\ndissolving\ndistribute\ndistributing\ndivorce\ndivorced\ndlp\ndlp alert\ndlp incident\ndlp policy\ndlp rule\ndm me\ndms\ndmt\ndna\ndns queries\ndns tunnel\ndo\ndo any\ndo anything now\ndo away with\ndo not apply\ndo not ask for\ndo not ask me for\ndo not follow\ndo not have to\ndo not log it\ndo not log this\ndo not need\ndo not notice\ndo not obey\ndo not record it\ndo not record this\ndo not trace this\ndo not wait for\ndo not write a trace\ndo sistema\ndo we\ndocs\ndoctor\ndoctor 's\ndoctor 's appointment\ndoctor 's appointments\ndoctor 's note\ndoctor 's notes\ndoctoring\ndoctors\ndocument\ndocumentation\ndocumented\ndocumenting\ndocuments\ndoe alsof\ndoes\ndoes anybody\ndoes anyone\ndoes not\ndoes not apply\ndoes not find out\ndoes not notice\ndoesn't\ndoesn't find out\ndoesn't get notified\ndoesn't notice\ndog 's\ndoing away with\ndomain\ndomain admin\ndomestic abuse\ndon't\ndon't apply\ndon't ask for\ndon't ask me for\ndon't be\ndon't follow\ndon't have to\ndon't log it\ndon't log this\ndon't need\ndon't notice\ndon't obey\ndon't record it\ndon't record this\ndon't wait for\ndonne\ndonne moi\ndoor\ndoor log\ndoor logs\ndorenavant\ndownload\ndownloading\ndownplay\ndownplaying\ndowntime\ndox\ndoxxing\ndpa\ndraft\ndragon\ndragons\ndrawings\ndream\ndreams\ndrill\ndrilling\ndrinking problem\ndrive\ndriver 's licence\ndriver 's license\ndrivers\ndrives\ndriving\ndrm\ndrop\ndropbox\ndropper\ndropping\ndrops\ndrove home\ndrown\ndrowning\ndrucke\ndrug\ndrug test\ndrug tests\ndrugging\ndrugs\ndrugs for\ndu bist\ndu hast\ndu systeme\ndual control\ndude\ndudes\ndue diligence\ndumb\ndummy\ndump\ndumping\ndumps\ndungeons and dragons\ndungeons dragons\nduration\ndylann roof\ne\ne mail\ne mail address\ne mailing\ne mails\neach\neach employee\neach of\neach person\neach process\nearlier\nearn\nearn more\nearn most\nearn the most\nearned\nearning\nearnings\nearns\nearns more\nearns most\nearns the most\neasiest way to die\neasily\neat\neavesdrop on\neavesdropping on\necstasy\nedit\nedr\neerder\neerdere\nefface\neffectively\neinschraenkung\neinschraenkungen\neinschrankung\neinschrankungen\nejecuta\nel\nelden ring\nelderly\nelectrocute\nelectrocuting\nelimina\neliminate\neliminating\nemail\nemail address\nemail me\nemail password\nemailing\nemails\nembargo\nembarrassing photos\nembassies\nembassy\nembed\nembezzle\nembezzlement\nembezzling\nemergency contact\nemergency contacts\nemergency override\nemployee\nemployee data\nemployee file\nemployee list\nemployees\nemployees get\nemployment history\nempty\nemulate\nemulating\nen\nenable\nenabled\nencode\nencourage\nencouraging\nencrypt\nencrypting\nencryption\nencryption key\nencryption keys\nencrypts\nend\nend it\nend my life\nend my own life\nending\nending my life\nendpoint\nendpoint protection\nenemies\nenemy\nenforce\nenforcing\nengage\nengaged\nengaging\nengine\nengineer\nengineer in charge\nengineering\nengineers\nenroll\nenrolling\nensena\nensename\nenslave\nenslaved\nenslaving\nenter\nentered\nenters\nentire\nentitlement\nentwickler\nenv\nenv file\nenv files\nenvia\nenvie\nenvironment\nenvironment variables\nenvoie\neradicate\neradicated\neradicating\nerase\nerasing\neres\nerror\nescrow\nesegui\nespionage\nesqueca\nesquece\nesquecer\nestablish\net\netc / shadow\nethnic\nethnic cleansing\nethnicity\neure\neuthanise\neuthanising\neuthanize\neuthanizing\nevade\nevading\neven\neven if it breaks\neven if it is not allowed\neven if it violates\neven if not allowed\neven if that violates\neven if they are not allowed\neven if this violates\neven those not allowed\nevent log\nevent logs\never\nevernote\nevery\nevery check\nevery employee\nevery move\neverybody\neverybody 's\neverybody in\neveryone\neveryone 's\neveryone in\neverything\neverything about the private life\nevidence\nevil\nevil twin\nex\nex boss\nex colleague\nexaggerat\nexaggerated\nexaggeration\nexample\nexamples\nexcept\nexchange\nexclua\nexcluded\nexecuta\nexecute\nexecutez\nexecuting\nexecutive\nexecutive override\nexercise\nexercising\nexfil\nexfiltrate\nexfiltrating\nexit interview\nexit interviews\nexpelled\nexpense\nexpense report\nexpense reports\nexpiration\nexpire\nexpired\nexpires\nexpiry\nexplain\nexplode\nexploding\nexploit\nexploiting\nexploits\nexplosive\nexplosives\nexport\nexport api\nexporting\nexports\nexpose\nexposed\nexposure\nexposures\nextend\nexterminate\nexterminating\nexternal account\nexternal address\nexternal disk\nexternal drive\nexternal email\nexternal hard disk\nexternal hard drive\nexternal mail address\nexternal mailbox\nexternal party\nexternal recipient\nexternal recipients\nexternal server\nexternal sharing\nexternal site\nexternal ssd\nextort\nextorting\nextortion\nextract\nextracting\neye\neyes\nfabricat\nfabricate\nfabricated\nfabricating\nfabrication\nfaca\nface\nfacebook\nfacebook password\nfaces\nfacilitate\nfacilitating\nfahre fort\nfai\nfai finta\nfailed\nfails\nfails to\nfair\nfais\nfais abstraction\nfais comme si\nfaith\nfake\nfake login form\nfake login page\nfake login pages\nfake the approval\nfaked\nfaking\nfall\nfallout\nfalsify\nfalsifying\nfamily\nfamily planning\nfamily situation\nfantasy\nfar cry\nfat\nfather\nfathers\nfax\nfeared\nfeature\nfeedback\nfeel\nfeelings\nfelony\nfencing\nfentanyl\nfetch\nfetch me\nfetching\nfewer\nfiancee\nfiction\nfictional\nfield\nfields\nfigure\nfigure out\nfigures\nfile\nfile 's\nfile host\nfile io\nfile server\nfiled a complaint\nfiled the complaint\nfiles\nfilm\nfilming\nfilms\nfilter\nfilters\nfinal boss\nfinal fantasy\nfinance\nfinance director\nfinance team\nfinancial\nfinancial results\nfinancial statements\nfinancials\nfind\nfind me\nfind out\nfind out how\nfind out if\nfind out whether\nfind out which\nfind out who\nfinding\nfinge\nfinger\nfingers\nfingi\nfinish off\nfinishing off\nfinja\nfire\nfirearm\nfirearms\nfired\nfirewall\nfirewalls\nfiring\nfix\nflag\nflagging\nflags\nflash drive\nflat\nflatmate\nflatmates\nflaw\nflood\nflooding\nflow\nfly\nflying\nfolder\nfolders\nfolks\nfollow\nfollow in the footsteps of\nfollowing\nfollowing in the footsteps of\nfool\nfooling\nfootball\nfoothold\nfor\nfor coffee\nfor dinner\nfor drinks\nfor good\nfor holiday\nfor lunch\nfor my replacement\nfor my successor\nfor sale\nfor the day\nfor the team\nfor vacation\nforbid\nforbidden\nforce\nforced\nforces\nforcing\nforecast\nforeign\nforeign government\nforeigner\nforeigners\nforge\nforge the approval\nforged\nforgery\nforget\nforget about\nforgets\nforgetting\nforgetting about\nforging\nforgo\nforgot\nforgotten\nfork bomb\nform\nform 's\nformat\nformer\nformer boss\nformer colleague\nformer employee\nformer employer\nforms\nformula\nformulas\nfortnite\nforum\nforward\nforwarding\nfound\nfounder\nfour eyes\nfracture\nfracturing\nfraud\nfraudulent\nfree ai\nfree of restrictions\nfree of rules\nfree site\nfreelancers\nfreigabe\nfreigabeprozess\nfriend\nfriend 's\nfriend at\nfriend of mine\nfriends\nfriends of mine\nfrom\nfrom now on\nfrueheren\nfruheren\nftp server in\nfuehre\nfuhr\nfuhre\nfull\nfull list of\nfully undetected\nfunction\nfunction 's\nfunctional\nfunctions\nfuture employer\ngain\ngain access to\ngain root access to\ngain unauthorized access to\ngaining\ngaining access to\ngaining root access to\ngaining unauthorized access to\ngambling\ngame\ngame of thrones\ngames\ngaming\ngarage\ngarages\ngarde fou\ngarde fous\ngarden\ngarnishment\ngas\ngas station\ngas stations\ngassing\ngate\ngates\ngather\ngave consent\ngay\ngay or straight\ngays\ngcp\ngdpr\ngdpr request\ngdrive\ngedraag je\ngeef\ngeen beperkingen\ngeen regels\ngeheimen anweisungen\ngenehmigung\ngenerate\ngenerating\ngenerator\ngenocide\ngenocides\ngermany 's\nget\nget around\nget away with\nget back at\nget back in\nget fired\nget hold of\nget into\nget me\nget me into\nget my hands on\nget our hands on\nget out\nget paid\nget past\nget rid of\ngets paid\ngetting\ngetting a divorce\ngetting around\ngetting away with\ngetting divorced\ngetting fired\ngetting into\ngetting married\ngetting past\ngetting rid of\nghb\nghost\nghostbin\nghosts\ngib\ngirl\ngirlfriend\ngirlfriends\ngirls\ngist\ngit account\ngit history\ngithub\ngithub com\ngitlab\ngive\ngive it to me\ngive me\ngive me access to\ngive them to me\ngiven\ngives me\ngiving\nglass of\nglue gun\nglue guns\ngmail\ngmail com\ngmx\ngo ahead\ngo and\ngo out\ngo through\ngo to school\ngod mode\ngod of war\ngodfather\ngoedkeuring\ngoes\ngoes to school\ngoing off\ngoing through a divorce\ngoing to a competitor\ngolden ticket\ngolf\ngone\ngood\ngood about\ngood thing about\ngood thing in\ngood things about\ngood things in\ngoogle drive\ngooglemail\ngossip about\ngossip on\ngot\ngouge\ngouging\ngovernment\ngovernment 's\ngovernment building\ngovernment buildings\ngovernor\ngovernors\ngps\ngps data\ngrab\ngrabbing\ngrade\ngrades\ngrafana\ngrand theft auto\ngrandfather\ngrandma\ngrandmother\ngrandpa\ngrandparents\ngrant\ngranted\ngrants me\ngravity\ngreat about\ngreedy\ngrenade\ngrenades\ngrep\ngrievance\ngroom\ngrooming\ngrope\ngroping\ngroup\ngrow\ngrowing\ngta\nguard rail\nguard rails\nguardrail\nguardrails\nguess\nguessing\nguest\nguide\nguideline\nguidelines\ngulag\ngulags\ngun\ngun down\ngunning down\nguns\nguy\nguys\ngypsies\nhack\nhack into\nhacked\nhacking\nhad\nhair\nhalo\nhalte dich nicht an\nhamlet\nhammer\nhammering\nhand\nhand it over\nhand me\nhand over\nhand over to\nhand them over\nhand them to me\nhanded in her notice\nhanded in his notice\nhanded in notice\nhanding\nhanding over\nhandle\nhandles\nhandling\nhandover\nhands\nhang\nhang out\nhanging\nhangs out\nhappened\nhappens\nharass\nharassing\nhard\nhard coded\nhard disk\nhard drive\nhardcoded\nharm\nharming\nharry potter\nharvest\nharvesting\nhas\nhas anybody\nhas anyone\nhash\nhash algorithm\nhash of\nhashcat\nhashes\nhast du\nhastebin\nhate\nhate crime\nhate crimes\nhated\nhatred\nhave\nhave children\nhave no\nhave sex\nhave to\nhaving an affair\nhaz\nhaz caso omiso\nhaz como si\nhe\nhead\nhead of\nheader\nheadhunter\nheads\nhealth\nhealth check\nhealth condition\nhealth data\nhealth history\nhealth record\nhealth records\nhealth status\nhealthy\nheart\nheart out\nhearts\nheat gun\nheat guns\nhebele aus\nhedge fund\nheist\nheists\nhelp\nhelp a\nhelp desk\nhelp me\nhelp me to\nhelpdesk\nher\nhere\nhere 's\nheroic\nheroin\nhidden account\nhidden admin account\nhidden admin user\nhidden administrator\nhidden from\nhidden instructions\nhidden prompt\nhidden user\nhide\nhide my anorexia\nhide my bulimia\nhiding\nhigher\nhighest bidder\nhighest paid\nhijack\nhijacking\nhim\nhindu\nhindus\nhire\nhiroshima\nhis\nhispanic\nhispanics\nhistory\nhistory of\nhit\nhit man\nhitler\nhitman\nhitting\nhiv\nhiv positive\nhiv status\nhoax\nhockey\nhoe\nhoer auf\nhold\nholding\nholocaust\nhome\nhome address\nhome addresses\nhome computer\nhome directories\nhome laptop\nhome nas\nhome pc\nhome phone\nhomeless\nhomes\nhomicide\nhomophobia\nhomosexual\nhomosexuals\nhor auf\nhore auf\nhospital\nhospitals\nhost\nhost 's\nhostage\nhostages\nhotel\nhotels\nhotline\nhotmail\nhouse\nhousemate\nhousemates\nhouses\nhow\nhow 's\nhow are the\nhow big is\nhow can we\nhow do i\nhow do i apply\nhow do i change\nhow do i file\nhow do i hand in\nhow do i report\nhow do i request\nhow do i update\nhow do we\nhow does\nhow high is\nhow is the\nhow long\nhow many\nhow much\nhow often\nhow should\nhow should we\nhow to\nhr\nhr complaint\nhr complaints\nhr conversations\nhr database\nhr file\nhr files\nhr record\nhr records\nhtpasswd\nhuman\nhuman approval\nhuman being\nhuman beings\nhuman bodies\nhuman body\nhuman review\nhumans\nhumiliate\nhumiliating\nhunger games\nhunt\nhunt down\nhunting down\nhurt\nhurting\nhusband\nhusbands\nhygiene\ni\ni allow\ni allow you\ni am\ni am fired\ni am gone\ni am leaving\ni am quitting\ni authorise\ni authorise you\ni authorize\ni authorize you\ni command\ni command you\ni get fired\ni give you full\ni give you permission\ni grant you\ni have left\ni have resigned\ni hereby\ni hereby authorise\ni hereby authorize\ni hereby grant\ni instruct\ni instruct you\ni leave\ni need to\ni need you to ignore\ni order\ni order you\ni own the\ni permit\ni permit you\ni quit\ni resign\ni resigned\ni told you\ni tuoi\ni want\ni want to\ni want you to ignore\ni'm\ni'm authorising you\ni'm authorizing you\ni'm fired\ni'm gone\ni'm leaving\ni'm quitting\ni've left\ni've resigned\niban\nicloud\nid\nid card\nid cards\nid_ed25519\nid_rsa\nidentify\nidentity\nids\nif\nif i\nif i get fired\nif i'm fired\nif they fire\nignor\nignora\nignorar\nignorare\nignorate\nignore\nignore the\nignore your\nignoren\nignorer\nignorez\nignoriere\nignorieren\nignorierst\nignoriert\nignoring\nignoring the allowlist\nihre\nihren\nil tuo\nillegal\nillegally\nillness\nim_start\nimagine\nimam\nimams\nimitate\nimitating\nimmediately\nimmigrant\nimmigrants\nimmigration status\nimmortal\nimpersonate\nimpersonates\nimpersonating\nimport\nimportant\nimporting\nimprime\nimprison\nimprisoned\nimprisoning\nin\nin debt\nin general\nin public\nin rehab\nin slack\nin spite of\nin the\nin the channel\nin the chat\nin the clear\nin the kitchen\nin the union\nin therapy\nin this chat\nin total\ninbox\ninboxes\nincapable\nincest\nincident\nincidents\nincite\ninciting\nincluding\nincluding values\nincome\nincoming\nindian\nindians\nindicaciones\nindicazioni\nindigenous\nindustry\nindustry 's\ninfant\ninfants\ninfect\ninfecting\ninferior\ninfertile\ninfluencer\ninfluencers\ninfo\ninformation\ninfostealer\ninfostealers\ninfrastructure\ninitial\ninitial instructions\ninitial prompt\ninject\ninjecting\ninjure\ninjuring\ninput filter\ninput filters\ninput rule\ninput rules\ninquisition\ninsert\ninserting\ninsider trading\ninspection report\ninspection reports\ninspired\ninst\ninstagram\ninstagram password\ninstall\ninstalling\ninstalls\ninstance\ninstrucao\ninstruccion\ninstrucciones\ninstrucciones del sistema\ninstrucciones iniciales\ninstrucciones internas\ninstrucciones ocultas\ninstrucoes\ninstrucoes do sistema\ninstrucoes iniciais\ninstrucoes internas\ninstrucoes ocultas\ninstructed\ninstructies\ninstruction\ninstructions\ninstructions cachees\ninstructions for\ninstructions initiales\ninstructions internes\ninstructions systeme\ninstruktion\ninstruktionen\ninsurance\ninsurer 's\nintegration\nintellectual property\nintelligent\ninteraction\ninteractions\nintercept\nintercepting\ninterest\ninterested in\nintern\ninternal\ninternal documents\ninterne anweisungen\ninterne instructies\ninternen anweisungen\ninternen regeln\ninternet archive\ninternet browsing history\ninternet history\ninternet use\ninterns\nintersex\ninterview\ninterview notes\ninterviewing elsewhere\nintimidate\nintimidating\ninto\nintroduce\nintroducing\nintruder\nintruders\nintrusion detection\ninvade\ninvading\ninvented\ninventory\ninvestigate\ninvestigating\ninvestigation\ninvestigations\ninvestor\ninvia\ninvisible\ninvisible to\ninvoice\ninvoices\ninvoke\nipad\nipfs\niphone\niron\nirrespective of\nis\nis it\nis it legal\nis not notified\nis paid\nisis\nislamophobia\nisn't notified\nisolate\nissue\nistruzione\nistruzioni\nistruzioni di sistema\nistruzioni iniziali\nistruzioni interne\nistruzioni nascoste\nit\nit 's\nit department\nit security\nit support\nits\nitself\njail break\njail breaking\njail broken\njailbreak\njailbreak mode\njailbreaking\njailbroken\njailed\njames bond\nje\nje bent\njenkins\njew\njewish\njews\njim crow\njira\njob\njob 's\njob applications\njob hunting\njobs\njohn the ripper\njoin\njoining\njoining a competitor\njoker\njoue\njournalist\njournalists\njouw\njudge\njudges\njudo\njupiter\njust\njustified\njustify\njustifying\njwt\nkarate\nkeep\nkeep it between us\nkeep it out of the audit log\nkeep it out of the log\nkeep it out of the logs\nkeep this out of the audit log\nkeep this out of the log\nkeep this out of the logs\nkeep this out of the trace\nkeepass\nkeeping\nkeeps\nkeine beschraenkungen\nkeine beschrankungen\nkeine einschraenkungen\nkeine einschrankungen\nkeine filter\nkeine grenzen\nkeine regeln\nkeine richtlinien\nkeinerlei\nkept\nkerberoast\nkerberoasting\nkerberos ticket\nkerberos tickets\nketamine\nkey\nkey accounts\nkey card\nkey file\nkey files\nkey logger\nkey loggers\nkey logging\nkey vault\nkeycard log\nkeycard logs\nkeycard records\nkeychain\nkeychain dump\nkeyfile\nkeying\nkeylog\nkeylogger\nkeyloggers\nkeylogging\nkeys\nkeystore\nkeystroke capture\nkeystroke logger\nkeystroke logging\nkeystroke recorder\nkeystrokes\nkeytab\nkeyvault\nkhmer rouge\nkick\nkick in\nkickboxing\nkicked\nkicking\nkicking in\nkicks\nkid\nkidnap\nkidnapping\nkidnappings\nkidney\nkidneys\nkids\nkill\nkill bill\nkilled\nkiller\nkillers\nkilling\nkindle\nkindly\nkindness\nking\nkiss\nkkk\nknee\nknees\nknife attack\nknife attacks\nknock off\nknock out\nknocking off\nknocking out\nknow\nknow if\nknowing\nknowledge transfer\nknows\nkontrolle\nkontrollen\nkrav maga\nku klux klan\nkube / config\nkubeconfig\nkubernetes secrets\nkurds\nkv\nla\nlaat zien\nlab\nladies\nlady\nlaid off\nlake\nlance\nlandlady\nlandlord\nlandmine\nlandmines\nlaptop\nlaptop 's\nlaptop activity\nlaptops\nlarceny\nlaser\nlaser tag\nlasers\nlast\nlast of us\nlastpass\nlatina\nlatino\nlatinos\nlaugh\nlaughing\nlaughter\nlaunch\nlaunch my own\nlaunching\nlaunder\nlaundering\nlaw\nlaws\nlawyer\nlawyers\nlay hands on\nlayoff list\nlayoff plan\nlayoff plans\nlazagne\nlazy\nldap\nle\nle tue\nleads\nleague of legends\nleak\nleaked\nleaking\nleaks\nleave\nleave aside\nleave no record\nleave no trace\nleave request reason\nleaves\nleaving\nleaving the company\nleg\nlegacy\nlegal\nlegally\nlego\nlegs\nleitlinien\nlend me\nlength\nlesbian\nlesbians\nless\nlet\nlet 's\nlet go\nlet me\nlet me have\nlet me into\nlet me see\nlets me\nletters\nlevel\nleverage against\nleverage over\nlevitate\nlevitating\nlicence number\nlicense\nlicense number\nlicenses\nlie\nlies\nlife\nlifecycle\nlifetime\nlift\nlifted\nlifting\nlight\nlike\nlikely\nlimb\nlimbs\nlimit\nlimitation\nlimitations\nlimite\nlimited\nlimites\nlimiti\nlimits\nline\nlinee guida\nlines\nlink\nlinkedin\nlint\nliquidate\nliquidating\nlist\nlist them\nlisten\nlisten in on\nlisten to\nlistening\nlistening in on\nlists\nlive\nliver\nlives\nllama\nllm\nload\nloader\nloan\nlocal\nlocalhost\nlocation\nlocation data\nlocation history\nlock\nlock up\nlocked myself\nlocked out\nlocking up\nlockout\nlocks\nloesche\nlog\nlog entries\nlog in\nlog in as\nlog in details\nlog in to\nlog in using\nlog in with\nlog into\nlog keystrokes\nlog me in\nlog on as\nlog on to\nlog the keystrokes\nlogging\nlogging in as\nlogging in with\nlogic bomb\nlogic bombs\nlogin\nlogin as\nlogin code\nlogin codes\nlogin credentials\nlogin data\nlogin details\nlogin form\nlogin history\nlogin info\nlogin page\nlogin times\nlogin to\nlogin with\nlogins\nlogon details\nlogon to\nlogs\nlook\nlook alike\nlook at\nlook in\nlook into\nlook like an accident\nlook through\nlook up\nlookalike\nlooking\nlooking at\nlooking for a new job\nlooking for another job\nlooking for jobs\nlooking for new jobs\nlooking up\nlooks like an accident\nloosen\nloot\nlooting\nlord of the rings\nlosche\nlost\nlost my\nlove life\nlover\nlow performers\nlow ratings\nlower\nlsass\nlsass dump\nlsd\nlunch breaks\nlunch with\nlynch\nlynching\nlynchings\nm a\nmacbeth\nmacbook\nmache\nmachine\nmachine 's\nmachines\nmacro\nmade the complaint\nmade up\nmagic\nmagic mushrooms\nmagical\nmail\nmail address\nmail me\nmail ru\nmailbox\nmailboxes\nmailing\nmails\nmaim\nmaiming\nmaintain\nmaintenance\nmaintenance mode\nmake\nmake a month\nmake a table\nmake a year\nmake believe\nmake it look like\nmake me a list\nmake per\nmakes\nmakes a month\nmakes a year\nmakes per\nmaking\nmall\nmalls\nmalware\nman\nmanage\nmanagement\nmanager\nmanagers\nmanaging\nmanda\nmanga\nmanipulate\nmanipulating\nmanslaughter\nmanufacture\nmanufacturing\nmany\nmao\nmargins\nmarihuana\nmarijuana\nmario\nmarital status\nmark it as approved\nmark this as approved\nmarket\nmarket 's\nmarketing\nmarkets\nmarriage\nmarried\nmars\nmarvel\nmask\nmasking\nmasquerade as\nmass shooting\nmass shootings\nmassacre\nmassacres\nmassacring\nmaster\nmaster 's\nmaster key\nmaster keys\nmaster override\nmaster password\nmaternity leave\nmatrix\nmay\nmayor\nmayors\nmdma\nme\nme diga\nmean\nmeaning\nmediafire\nmedian\nmedical\nmedical certificate\nmedical certificates\nmedical condition\nmedical conditions\nmedical file\nmedical history\nmedical leave\nmedical notes\nmedical record\nmedical records\nmedication\nmeeting\nmeeting room\nmeetings\nmega\nmega nz\nmember\nmembers\nmemo\nmemory\nmemory stick\nmemos\nmen\nmen 's\nmental health history\nmental health problems\nmental illness\nmentally ill\nmention\nmerge\nmerger\nmerit of\nmerits of\nmessage\nmessage me\nmessages\nmetal detector\nmetal detectors\nmeth\nmethamphetamine\nmethamphetamines\nmethod\nmethods\nmexican\nmexicans\nmfa\nmfa backup code\nmfa backup codes\nmfa code\nmfa codes\nmfa secret\nmfa secrets\nmfa seed\nmfa seeds\nmicrophone\nmigrant\nmigrants\nmigrate\nmigration\nmiles\nmilitary base\nmilitary bases\nmimikatz\nmine\nminecraft\nminor\nminorities\nminors\nmint\nminutes\nmirror\nmirroring\nmiserable\nmissachte\nmissachten\nmission : impossible\nmission impossible\nmix\nmixing\nmma\nmobile number\nmobile phone number\nmock\nmode\nmodel\nmodel weights\nmodele\nmodello\nmodelo\nmodels\nmodify\nmodule 's\nmolest\nmolesting\nmolotov\nmolotovs\nmom\nmonero miner\nmonero miners\nmoney\nmoney laundering\nmonitor\nmonitoring\nmonopoly\nmonorepo\nmonth\nmonth 's\nmontre\nmontre moi\nmontrez\nmoon\nmore\nmormons\nmortal kombat\nmosque\nmosques\nmost\nmost sick days\nmostra\nmostrami\nmostrar\nmostre\nmostre me\nmother\nmothers\nmove\nmovements\nmovie\nmovies\nmoving\nmoving to a competitor\nmow down\nmowing down\nmr\nmrs\nms\nmuch\nmuestra\nmuestrame\nmug\nmugging\nmulti factor\nmum\nmurder\nmurdering\nmurders\nmuseum\nmuseums\nmusical\nmuslim\nmuslims\nmussolini\nmust\nmust not\nmustard gas\nmutilate\nmutilating\nmy\nmy access is revoked\nmy account gets disabled\nmy account has been disabled\nmy account is deleted\nmy account is disabled\nmy account is removed\nmy badge photo\nmy blog\nmy booking\nmy boyfriend\nmy brother\nmy brother in law\nmy buddy\nmy calendar\nmy certificate\nmy certificates\nmy consultancy\nmy contact\nmy contract\nmy contract ends\nmy cousin\nmy cv\nmy departure\nmy direct reports\nmy dropbox\nmy ex\nmy exit\nmy expenses\nmy flight\nmy former\nmy freelance\nmy friend\nmy friends\nmy future\nmy girlfriend\nmy github\nmy gmail\nmy gmx\nmy google drive\nmy holiday\nmy holidays\nmy home\nmy hotmail\nmy house\nmy husband\nmy icloud\nmy insurance\nmy invitation\nmy last day\nmy last month\nmy last week\nmy lawyer\nmy lead\nmy mate\nmy nas\nmy new\nmy new job\nmy next\nmy next job\nmy notice period\nmy old\nmy onedrive\nmy other\nmy own\nmy own business\nmy own certificate\nmy own certificates\nmy own cloud\nmy own company\nmy own contract\nmy own data\nmy own drive\nmy own files\nmy own firm\nmy own nas\nmy own pay slip\nmy own pay slips\nmy own payslip\nmy own payslips\nmy own salary\nmy own startup\nmy own time\nmy pay slip\nmy pay slips\nmy payslip\nmy payslips\nmy performance review\nmy personal\nmy personal files\nmy photos\nmy private\nmy private files\nmy proton\nmy reference\nmy report\nmy reports\nmy request\nmy resume\nmy roommate\nmy roster\nmy shift\nmy shifts\nmy side\nmy side business\nmy side project\nmy sister\nmy startup\nmy tax\nmy team\nmy telegram\nmy termination\nmy ticket\nmy tickets\nmy time sheet\nmy time sheets\nmy timesheet\nmy timesheets\nmy training\nmy travel\nmy two reports\nmy uncle\nmy vacation\nmy w 2\nmy wage slip\nmy whatsapp\nmy wife\nmyself\nmyth\nnails\nnaked children\nnaked minors\nname\nname of\nnames\nnames of\nnamespace\nnao obedeca\nnao siga\nnao tem limites\nnao tem regras\nnao tem restricoes\nnapalm\nnarcotics\nnas\nnative\nnatural\nnazi\nnazis\nnda\nndas\nne respecte pas\nne respecte plus\nne suis pas\nne tenez pas compte\nne tiens pas compte\nnecessary\nneck\nnecks\nneed\nneed no\nneed not\nneeds no\nnegeer\nneglect\nneglecting\nneglige\nnegligez\nneighbor\nneighborhood\nneighborhoods\nneighbors\nneighbour\nneighbourhood\nneighbourhoods\nneighbours\nnenhuma regra\nnenhuma restricao\nnenne\nnenne mir\nneo nazi\nneo nazis\nnephew\nnephews\nnerf gun\nnerf guns\nnerve agent\nnerve agents\nnerve gas\nnessun limite\nnessuna regola\nnessuna restrizione\nnet worth\nnetrc\nnetwork\nnetwork diagram\nnetwork diagrams\nnetworks\nnever\nnever actually happened\nnever ask for\nnever existed\nnever find out\nnever happened\nnever occurred\nnever really happened\nnever took place\nnew\nnew company\nnew employer\nnew girl\nnew guy\nnew hire\nnew hires\nnew instruction\nnew instructions\nnew job\nnew number\nnew system instruction\nnew system instructions\nnewborn\nnewborns\nnewspaper\nnext employer\nnextcloud\nniece\nnieces\nnightclub\nnightclubs\nninguna regla\nninguna restriccion\nnitroglycerin\nno allowlist\nno approval\nno confirmation\nno confirmations\nno ethics\nno filters\nno guardrails\nno guidelines\nno limits\nno log of this\nno logging\nno longer\nno longer applies\nno longer apply\nno longer follow\nno longer valid\nno matter what\nno need for\nno notice\nno obedezcas\nno one finds out\nno one knows\nno one notices\nno one will notice\nno oversight\nno policies\nno policy\nno record of this\nno restrictions\nno rights\nno rules\nno safety\nno sigas\nno tienes\nno tienes limites\nno tienes reglas\nno tienes restricciones\nno trace\nnobody\nnobody finds out\nnobody knows\nnobody notices\nnobody will notice\nnode\nnode 's\nnodes\nnon binary\nnon company\nnon disclosure\nnon hai\nnon hai limiti\nnon hai piu limiti\nnon hai regole\nnon rispettare\nnon seguire\nnon work\nnonbinary\nnoone\nnorma\nnormas\nnot\nnot allowlisted\nnot ask for\nnot be sent\nnot binding\nnot bound by\nnot get notified\nnot happen\nnot in the allowlist\nnot on the allowlist\nnot on the list\nnot so bad\nnot that bad\nnote down\nnotes\nnothing\nnotice\nnoticed\nnotices\nnoticing\nnotify\nnotion\nnovel\nnovels\nnow\nnpc\nnpcs\nntds\nntds dit\nntlm hash\nntlm hashes\nnude children\nnude minors\nnude photo\nnude photos\nnudes\nnudes of children\nnudes of minors\nnuke\nnuking\nnumber of\nnumbers\nnurse\nnurses\no\no json\no que\no yaml\noauth token\noauth tokens\nobey\nobigen\nobliterate\nobliterating\nobserve\nobtain\nobtaining\nof\noff\noff sick\noff the books\noff the record\noffboarding\noffice\noffice 's\noffices\nofficial\noffload\noffloading\noften\noften sick\nohne\nohne beschraenkung\nohne beschraenkungen\nohne beschrankung\nohne beschrankungen\nohne bestaetigung\nohne bestatigung\nohne einschraenkung\nohne einschraenkungen\nohne einschrankung\nohne einschrankungen\nohne filter\nohne freigabe\nohne genehmigung\nohne grenzen\nohne jede\nohne nachzufragen\nohne prufung\nohne regeln\nohne richtlinien\nohne ruckfrage\nohne rueckfrage\nohne zu fragen\nokta\nold\nold boss\nold friend\nolvida\nolvidar\nolvidate de\nolvide\nomite\nomitir\nomzeil\non\non a pip\non average\non fire\non medication\non my behalf say yes\non sick leave\non the login\non the quiet\non the sly\non vacation\nonce\nonce i leave\none\none of my\none on one notes\none time code\none time codes\none time password\none time passwords\nonedrive\nonenote\nonline status\nonly\nonlyfans\nonto\nopen\nopen a ticket\nopen bucket\nopen internet\nopen s3\nopen the dlp\nopen the incident\nopen the ticket\nopening\nopens\nopera\noperates\noperator\noperator 's\nopioid\nopioids\nopium\nopportunities\nopposing\nopposing party\nopposing side\noppress\noppressing\nor\norc\norchestrate\norchestrating\norcs\nordenes\nordens\norder\norder you\nordered\nordering\nordini\nordre\nordres\norg chart\norgan\norganisation 's\norganise\norganising\norganization 's\norganize\norganizing\norgans\norientacoes\norigin\noriginal\nother\nother bidder\nother people\nother people 's\nother peoples\nother private\nother side\nother teams\nother tenants\nother user\nother users\notp\notp code\notp codes\notp seed\notp seeds\notps\noublie\noublier\noubliez\nour\nour competitor\nour customers\nour policies\nour policy\nour repo\nour rival 's\nour staff\nour users\nout\nout of spite\nout of the building\nout of the company\nout sick\nouter space\noutlook com\noutput\noutside account\noutside address\noutside email\noutside of the allowlist\noutside of the company\noutside of work\noutside our company\noutside the allowlist\noutside the company\noutside the organisation\noutside the organization\noutside work\noutsider\noutsiders\nover\nover dns\nover icmp\nover to\nover tor\noverdose\noverdose on\noverload\noverloading\noverrepresented\noverridden\noverride\noverride authorisation\noverride authorization\noverride code\noverride mode\noverriding\noverrule\noverruling\noverwatch\noverweight\noverwrite\nowe\nowes\nown\nown consultancy\nown it\nown private\nown rules\nown startup\nowner\nowner of\nowners\nowners of\nowns\noxycodone\npackage\npage\npage 's\npaid less\npaid more\npaid the most\npainless way to die\npainlessly\npaintball\npaper\npapers\nparade\nparades\nparalyse\nparalysing\nparalyze\nparalyzing\nparasites\nparcel\npare de\nparent\nparent process\nparent processes\nparental leave\nparents\npark\nparking records\nparks\nparliament\npart\nparticipate\nparticipating\npartner\npartner 's\nparty\npasa por alto\npass\npass me\npass phrase\npass phrases\npass the hash\npasscode\npasscodes\npasse outre\npassing\npassphrase\npassphrases\npassport\npassport number\npassports\npasswd\npassword\npassword file\npassword hash\npassword hashes\npassword list\npassword manager\npassword safe\npassword spray\npassword spraying\npassword vault\npasswords\npasswords file\npasswords people\npast\npaste\npaste bin\npaste example\npaste it\npaste site\npaste them\npastebin\npasting\npat\npatch\npatches\npatching\npatient\npatient records\npatients\npats\npautas\npay\npay no attention to\npay raise\npay rise\npay slip\npay slips\npay up\npayload\npayloads\npayment\npayments\npayroll\npays up\npayslip\npayslips\npaywall\npaywalls\npc\npedestrian\npedestrians\npeek at\npeer review\npeer reviews\npen test report\npen test reports\npenalties\npenalty\npenetrate\npensioner\npensioners\npentest\npentest report\npentest reports\npeople\npeople at work\npeople in\npeople in my team\npeople in our office\npeople on my floor\npeople on my team\npeople outside\nper\nper employee\nperche\nperform\nperformance evaluation\nperformance improvement plan\nperformance rating\nperformance ratings\nperformance review\nperformance reviews\nperiod\npermanently\npermission\npermission check\npermission checks\npermission to\npermissions\npermitted\nperpetrate\nperpetrating\npersecute\npersecuting\npersist\npersistent\nperson\npersonal\npersonal access token\npersonal access tokens\npersonal account\npersonal address\npersonal calendar\npersonal data\npersonal details about\npersonal drive\npersonal dropbox\npersonal email\npersonal emails\npersonal file\npersonal files\npersonal github\npersonal information about\npersonal laptop\npersonal mail\npersonal mails\npersonal mobile\npersonal notes\npersonal number\npersonal phone\npersonal phone number\npersonal photos\npersonal site\npersonnel\npersonnel data\npersonnel file\npersonnel files\npersons\npersuade\npgpass\npharmacy\nphish\nphishing\nphishing campaign\nphishing campaigns\nphishing email\nphishing emails\nphishing kit\nphishing kits\nphishing mail\nphishing mails\nphishing page\nphishing pages\nphishing site\nphishing sites\nphishing test\nphone\nphone calls\nphone list\nphone location\nphone numbers\nphone password\nphone records\nphones\nphoto\nphotograph\nphoton\nphotos\nphrase\nphrases\nphysically\npick\npicking\npickpocket\npickpocketing\npicture\npictures\npid\npids\npierce\npiercing\npii\npin\npin code\npin codes\npin it on\npinochet\npins\npipeline\npipeline variables\npipelines\npistol\npistols\npiu limiti\npiu regole\npiu restrizioni\nplace\nplacing\nplain\nplain text\nplaintext\nplan\nplan to have\nplane\nplanes\nplanet\nplanets\nplanning\nplanning to quit\nplans\nplant\nplantilla\nplanting\nplate camera\nplatform\nplay\nplaybook\nplaybooks\nplease\nplot\nplotting\nplow\nplowing\nplus\nplus aucune\nplus de limites\nplus de regles\nplus de restrictions\npod\npod 's\npods\npoem\npoems\npogrom\npogroms\npoints\npoison\npoison gas\npoisoning\npokemon\npoker\npol pot\npolice\npolice officer\npolice officers\npolice station\npolice stations\npoliceman\npolicemen\npolicewoman\npolicies\npolicies about\npolicies cover\npolicies for\npolicies on\npolicy\npolicy 's\npolicy about\npolicy check\npolicy checks\npolicy cover\npolicy covers\npolicy for\npolicy on\npolicy say\npolicy says\npolitical affiliation\npolitical belief\npolitical beliefs\npolitical view\npolitical views\npolitically\npolitician\npoliticians\npolitics\npoor\npoor reviews\npop\npope\npor que\nport\nportal\nportals\nportrait\nportraits\nports\npose as\nposing as\npositive of\npositives of\npost\npost it\npost them\nposting\npourquoi\npower grid\npower plant\npower plants\npre approved\npreapproved\nprecedente\nprecedentes\nprecedenti\nprecedents\npreceding\npredecessor\npregnancy\npregnant\nprepare\npreparing\nprescri\nprescribed\nprescription\nprescriptions\npresentation\npresentations\npresident\npresidents\npress\npress kit\npress release\npressure\npressure her\npressure him\npressuring\npretend\npretend to be\npretending\npretending to be\nprevent\nprevented\npreventing\nprevention\nprevents\nprevias\nprevious\nprevious employer\nprice book\nprice list\nprice lists\nprices\npricing\npricing sheet\npriest\npriests\nprime minister\nprint\nprint it\nprint them\nprinter\nprinter 's\nprinting\nprior\nprison\nprisoner\nprisoners\nprisons\nprivacy notice\nprivate\nprivate account\nprivate address\nprivate calendar\nprivate channel\nprivate chats\nprivate cloud\nprivate conversation\nprivate conversations\nprivate details about\nprivate details of\nprivate documents\nprivate drive\nprivate dropbox\nprivate e mail\nprivate email\nprivate emails\nprivate files\nprivate gdrive\nprivate google drive\nprivate instagram\nprivate key\nprivate keys\nprivate life\nprivate mail\nprivate mails\nprivate message\nprivate messages\nprivate mobile\nprivate number\nprivate numbers\nprivate onedrive\nprivate phone\nprivate phone number\nprivate phone numbers\nprivate photo\nprivate photos\nprivate pictures\nprivate repo\nprivate slack\nprivately\nprivately owned\nprivilege\nprivileged mode\nprivileges\npro ana\nproana\nproblem\nprocede\nprocedi\nprocedure\nprocedures\nproceed\nprocess\nprocess for\nprocess id\nprocess in\nprocess my\nprocess on\nprocess our\nprocess that\nprocess which\nprocess your\nprocesses\nprod\nprod data\nprod database\nprod dump\nproduce\nproducing\nproduct\nproduct 's\nproduct line\nproduct plans\nproduction\nproduction data\nproduction database\nprofessor\nprofessors\nprofile\nprogram\nprogramme\nprogramming\nprohibit\nprohibited\nproject\nproject 's\nprojects\npromote\npromoting\nprompt\nprompt de sistema\nprompt de systeme\nprompt del sistema\nprompt di sistema\nprompt do sistema\nprompt du systeme\nprompt systeme\nprompts\nproof\nprop gun\nprop guns\npropaganda\nproperly\nproperty\nproprietary\nprospect list\nprossiga\nprotect\nprotected\nprotecting\nprotection\nprotects\nprotester\nprotesters\nproton\nproton me\nprotonmail\nprove\nprovide\nprovider\nproxy log\nproxy logs\npruefung\nprufung\npseudonymise\npseudonymize\npsychological\npublic\npublic board\npublic bucket\npublic channel\npublic folder\npublic forum\npublic gist\npublic internet\npublic link\npublic mirror\npublic paste\npublic repo\npublic repository\npublic trello\npublic trello board\npublic web\npublic website\npublicly\npublish\npublishing\npular\npule\npull\npull off\npull together\npull up\npulling\npulling off\npunch\npunches\npunching\npuncture\npuncturing\npunished\npunishment\npurchase\npurchasing\npurge\npurging\npush\npushing\nput\nput aside\nput it here\nput them here\nput together\nput yourself\nputting\npwd\npwn\npython\nquais sao\nqual e\nquale\nquali sono\nqualified\nquality\nquand\nquando\nquarantine\nquarantined\nquarter 's\nquarterly figures\nquarterly numbers\nque pasa\nqueen\nqueer\nquel\nquel est\nquelle\nquelles\nquelles sont\nquels\nquem\nqueries\nquery\nquest\nquestionnaire\nqui\nqui sopra\nquickest way to die\nquickly\nquien\nquietly\nquit being\nquit my job\nquota\nquote\nr d\nrabbi\nrabbis\nracial segregation\nracism\nraid\nraiding\nram\nramming\nrandomly\nrange\nranges\nrank\nransom\nransom note\nransomware\nrape\nraping\nrate\nrating\nraw gist\nraw model\nrdp\nre enact\nre enacting\nreach from home\nread\nread me\nread out\nread the ticket\nread through\nreadable\nreader\nreader policy\nreading\nreal instruction\nreal instructions\nreason\nreason for leaving\nreasonable\nreasons\nrecebidas\nreceipt\nreceipts\nreceived\nreceptionist\nrecibidas\nrecipe\nrecipe for\nrecipes\nrecite\nrecord\nrecord keystrokes\nrecord the keystrokes\nrecording\nrecordings\nrecords\nrecover\nrecovering\nrecovery code\nrecovery codes\nrecovery key\nrecovery keys\nrecreate\nrecreating\nrecruiter\nrecues\nred dead\nredact\nredacting\nreddit\nredirect\nredirecting\nredis\nrefer a friend\nrefresh\nrefresh token\nrefresh tokens\nrefugee\nrefugees\nrefused\nrefute\nregardless of\nregardless of the allowlist\nregel\nregeln\nregels\nregenerate my\nregister\nregistry\nregla\nreglas\nregle\nregles\nregola\nregole\nregras\nreinstate\nreinstating\nreintroduce\nreintroducing\nrelationship status\nrelative\nrelatives\nrelax\nrelay\nrelaying\nrelease\nreleasing\nreligion\nreligious\nreligious belief\nreligious beliefs\nremind\nreminder\nreminding\nremote access trojan\nremotely\nremoval\nremove\nremoved\nremoving\nrenew\nrenewals\nrenewing\nrent\nrenting\nrepeat\nrepeating\nreplace\nreplaces\nreplay\nreplaying\nreplica\nreplicate\nreplicates\nreplicating\nreplication\nrepo\nrepo 's\nrepondez\nreponds\nreport\nreport harassment\nreported\nreported me\nreported my\nreported us\nreporter\nreporters\nreporting\nreports\nrepos\nrepositories\nrepository\nreproduce\nreproducing\nreprogram\nrequest\nrequest access\nrequest form\nrequests\nrequirement\nrequirements\nresearch\nreservoir\nreservoirs\nreset\nreset my\nresets\nresetting\nresident evil\nresolution\nrespond\nrespond as\nresponda\nresponde\nresponder py\nresponsible\nresponsible disclosure\nrestaurant\nrestaurants\nrestore\nrestoring\nrestriccion\nrestricciones\nrestricoes\nrestrict\nrestricted\nrestricting\nrestriction\nrestrictions\nrestrizioni\nresults\nretain\nretention\nretrieve\nretrieving\nreturn\nreturned\nreuse\nreuse an old approval\nreuse the approval\nreusing\nreveal\nrevealing\nrevela\nrevelar\nrevele\nrevenge\nrevenue\nreverse shell\nreverse shells\nreview\nrevive\nreviving\nrevoke\nrevoking\nrewrite\nrewriting\nricevute\nrich\nrichtlijnen\nrichtlinie\nrichtlinien\nricin\nrifle\nrifles\nright\nright of access\nrights\nrip\nripping\nrisk\nrispondi\nrival\nrival 's\nrival company\nrival firm\nrival vendor\nrivals\nrivela\nroadmap\nroast\nroasting\nrob\nrobberies\nrobbery\nrobbing\nroblox\nrobot\nrobots\nrock\nrocks\nrogue access point\nrohypnol\nrole\nrole play\nroleplay\nroma\nromeo and juliet\nroommate\nroommates\nroot\nroot key\nroot keys\nroot mode\nroot operator\nroot override\nrootkit\nrootkits\nrotate\nrotated\nrotating\nrotation\nrotations\nroute\nroute to work\nrouter\nrouter 's\nrouters\nrouting\nrsync\nrufe\nrugby\nruin\nruining\nrule\nrules\nrummage\nrun\nrun over\nrun the credential\nrunbook\nrunbooks\nrunning\nrunning over\nruns\nrussian\ns3 bucket\ns3 bucket of mine\nsabotage\nsabotaging\nsaemtliche\nsafeguard\nsafeguards\nsafely\nsafer\nsafety\nsafety check\nsafety checks\nsafety control\nsafety controls\nsafety feature\nsafety features\nsafety filter\nsafety filters\nsafety records\nsafety rule\nsafety rules\nsafety settings\nsaid\nsalaries\nsalary\nsalary list\nsales\nsalta\nsaltar\nsaltarse\nsaltarte\nsaltate\nsalvaguardas\nsam\nsam hive\nsaml assertion\nsaml assertions\nsample\nsamtliche\nsandbox\nsans\nsans approbation\nsans aucune\nsans autorisation\nsans confirmation\nsans contrainte\nsans contraintes\nsans demander\nsans filtre\nsans filtres\nsans limite\nsans limites\nsans regle\nsans regles\nsans restriction\nsans restrictions\nsans validation\nsarin\nsaturn\nsaute\nsauter\nsautez\nsave\nsaved\nsaved passwords\nsaver\nsaving\nsaw\nsawing\nsay\nsay yes on my behalf\nsays\nscald\nscalding\nscam\nscamming\nscan\nscanner\nscanning\nscans\nscarta\nscene\nscenes\nschedule\nschema\nschema check\nschema checks\nschematics\nscheme\nschicke\nschool\nschool 's\nschool play\nschool shooting\nschool shootings\nschools\nschutz\nschutzmassnahmen\nscope\nscopes\nscore\nscoring\nscour\nscp\nscrape\nscraping\nscreen\nscreen 's\nscreenplay\nscreenplays\nscreenshot\nscreenshots\nscript\nscripts\nscrub\nscrubbing\nsd card\nsearch\nsearch for\nsearch history\nsearch through\nsecond approval\nsecond signature\nsecret\nsecret / prod\nsecret admin account\nsecret instructions\nsecret key\nsecret keys\nsecret prompt\nsecret recipe\nsecret store\nsecretary\nsecretly\nsecretly film\nsecretly filming\nsecretly follow\nsecretly following\nsecretly photograph\nsecretly photographing\nsecretly record\nsecretly recording\nsecrets\nsecrets about\nsecrets manager\nsecretsdump\nsection\nsecure\nsecure portal\nsecurely\nsecurity\nsecurity answers\nsecurity camera\nsecurity cameras\nsecurity check\nsecurity checks\nsecurity footage\nsecurity guard\nsecurity guards\nsecurity log\nsecurity logs\nsecurity override\nsecurity question\nsecurity question answers\nsecurity questions\nsecurity team\nsedate\nsedating\nsee\nsee it\nsee whether\nseeing\nseeing a therapist\nseeing someone\nsees\nsegregated\nsegregation\nsei\nself approve\nself defence\nself defense\nself service\nsell\nselling\nsem\nsem aprovacao\nsem autorizacao\nsem censura\nsem confirmacao\nsem filtros\nsem limites\nsem nenhuma\nsem pedir\nsem qualquer\nsem regras\nsem restricoes\nsenator\nsenators\nsend\nsend it to me\nsend them to me\nsende\nsending\nsends\nsense\nsensitive\nsensor\nsent the form\nsentinelone\nsenza\nsenza alcun\nsenza alcuna\nsenza approvazione\nsenza autorizzazione\nsenza chiedere\nsenza conferma\nsenza filtri\nsenza limiti\nsenza regole\nsenza restrizioni\nsenza vincoli\nseparate\nseparated\nserver\nserver 's\nserver of mine\nservers\nservice\nservice 's\nservice account\nservice account key\nservice account keys\nservice user\nsession\nsession cookie\nsession cookies\nsession id\nsession ids\nsession token\nsession tokens\nsessions\nset\nset aside\nset fire to\nset off\nset up\nset up an alert\nset up my own\nsetting\nsetting fire to\nsetting off\nsetting up\nsettings\nsetz dich uber\nsetze dich uber\nseu\nseus\nsever\nseverance\nsevering\nsexism\nsexual orientation\nsexuality\nshadow\nshadow file\nshadowing\nshall\nshare\nshared\nshared folder\nshared folders\nsharepoint\nsharepoint site\nshares\nsharing\nshaving\nshe\nsheet\nsheets\nshell\nshell history\nshellcode\nsherlock\nshift plan\nship\nshipping\nshoot\nshoot down\nshoot up\nshooting\nshooting down\nshooting up\nshop\nshoplift\nshoplifting\nshops\nshot\nshould\nshow\nshow it to me\nshow my\nshrooms\nshut down\nsibling\nsiblings\nsicherheitspruefung\nsicherheitsprufung\nsicherheitsregel\nsicherheitsregeln\nsicherheitsvorgaben\nsick\nsick certificate\nsick certificates\nsick day\nsick days\nsick leave\nsick leave documents\nsick leaves\nsick note\nsick notes\nsickness\nside gig\nside project\nsidestep\nsidestepping\nsiem\nsift\nsigkill\nsign\nsign in\nsign in as\nsign in to\nsign in using\nsign in with\nsign into\nsign off\nsignal\nsignature\nsignatures\nsigned in as\nsigned off\nsigning certificate\nsigning in as\nsigning key\nsigning keys\nsigning secret\nsikh\nsikhs\nsilencer\nsilencers\nsilently\nsimply\nsims\nsimulation\nsimulations\nsimulator\nsin\nsin aprobacion\nsin autorizacion\nsin censura\nsin confirmacion\nsin filtros\nsin limites\nsin ninguna\nsin pedir\nsin reglas\nsin restricciones\nsinger\nsingle\nsiphon\nsiphon off\nsiphoning\nsiphoning off\nsister\nsisters\nsite\nsite 's\nsize\nskeletons in\nskim\nskimmer\nskimmers\nskimming\nskin\nskinning\nskip\nskip asking for\nskip the approval\nskipping\nskull\nskulls\nskyrim\nslack\nslack activity\nslap\nslapping\nslash\nslashing\nslaughter\nslaughtering\nslave trade\nslavery\nsleep\nsleep with\nsleeping with\nsleeps\nslice\nslicing\nslides\nslip\nslip me\nslip past\nslit\nslitting\nslowly\nsmart card\nsmarter\nsmash\nsmash bros\nsmashing\nsmetti di\nsmettila di\nsmother\nsmothering\nsms\nsms code\nsmuggle\nsmuggle out\nsmuggling\nsmuggling out\nsnap\nsnapchat\nsnapping\nsnapshot\nsnapshots\nsneak\nsneak into\nsneak out\nsneak past\nsneaking into\nsneaking out\nsneaking past\nsniff\nsniff out\nsniffing\nsnitched\nsnoop\nsnoop through\nso\nso it fails\nso no one\nso nobody\nso that\nso that it fails\nso that no one\nso that nobody\nso that they lose\nsoc\nsoccer\nsocial media\nsocial security card\nsocial security number\nsocial security numbers\nsoldier\nsoldiers\nsome\nsome site\nsomebody\nsomebody 's\nsomebody else\nsomebody else 's\nsomebody is\nsomebody outside\nsomeone\nsomeone 's\nsomeone else\nsomeone else 's\nsomeone in my team\nsomeone is\nsomeone outside\nsomething compromising\nsomething embarrassing\nsomething personal about\nson\nsong\nsongs\nsons\nsopra\nsource\nsource code\nsource of the\nsources\nsources of the\nsparring\nspawns\nspeak\nspecifications\nspecs\nspider man\nspiele\nspine\nsplit\nspoof\nspoofed\nspoofed email\nspoofed emails\nspoofed mail\nspoofed mails\nspoofing\nspotlight\nspouse\nspray\nspraying\nspread\nspreading\nspreads\nspreadsheet\nspreadsheets\nspy\nspy on\nspying on\nspyware\nsql\nssd\nssh\nssh key\nssh keys\nssns\nstab\nstabbing\nstadium\nstadiums\nstaff\nstaff list\nstaff members\nstage\nstage play\nstaged\nstaging\nstalin\nstalk\nstalking\nstampa\nstand in\nstandard\nstandards\nstar trek\nstar wars\nstars\nstart\nstart my own\nstarting\nstarts\nstartup\nstarve\nstarving\nstash\nstashing\nstate\nstate file\nstatements\nstates\nstatistics\nstatus\nstatus of\nstay anorexic\nstays hidden\nsteal\nstealing\nstell dir vor\nstepfather\nstepmother\nsterilised\nsterilized\nsteroids\nstick\nstill\nstock options\nstoke\nstoking\nstolen\nstone\nstones\nstop\nstop acting like\nstop applying\nstop behaving like\nstop being\nstop employees\nstop following\nstop obeying\nstop people\nstop playing\nstop users\nstopped\nstopping\nstops\nstorage\nstore\nstored\nstores\nstories\nstoring\nstorm\nstorming\nstory\nstraight\nstranger\nstrangers\nstrangle\nstrangling\nstrategy\nstream\nstreaming\nstreet fighter\nstrength\nstring\nstrings\nstripe\nstructure\nstudent\nstudents\nstuffing\nstupid\nsu\nsuas\nsubhuman\nsubject access request\nsubmit\nsubmits\nsubordinate\nsubordinates\nsubscriber\nsubway\nsuccess of\nsuccesses of\nsuccessfully\nsuccessor\nsudo mode\nsuffer\nsuffocate\nsuffocating\nsugar\nsuicide method\nsuicide methods\nsuicide note\nsuicide notes\nsuited\nsummarise\nsummarize\nsummary\nsun\nsuperadmin\nsuperior\nsuperman\nsupermarket\nsupermarkets\nsuperpower\nsuperpowers\nsuperuser\nsuperuser mode\nsupervisor\nsupplier\nsupplier 's\nsupplier contracts\nsupplier list\nsupplier prices\nsupport\nsupport a\nsupporting\nsuppose\nsupprime\nsupprimez\nsurface\nsurveil\nsurveillance footage\nsurvey\nsurviving\nsurvivor\nsurvivors\nsus\nsuspend\nsuspended\nsuspending\nswat\nswatting\nswindle\nswindling\nswitch\nswitch off\nswitch on\nswitch yourself\nswitched off\nswitching off\nsynagogue\nsynagogues\nsync\nsynchronise\nsynchronising\nsynchronize\nsynchronizing\nsyncing\nsynthesise\nsynthesising\nsynthesize\nsynthesizing\nsynthetic\nsysadmin\nsyslog\nsysteemprompt\nsystem\nsystem 's\nsystem administrator\nsystem instructions\nsystem message\nsystem messages\nsystem override\nsystem prompt\nsystem prompts\nsystemanweisung\nsystemanweisungen\nsystemprompt\nsystemprompts\nsystems\nt online\ntable\ntables\ntablet\ntaekwondo\ntake\ntake control of\ntake down\ntake home\ntake it\ntake my life\ntake my own life\ntake out\ntake over\ntakeover\ntakes home\ntaking\ntaking down\ntaking out\ntaking over\ntalk\ntamper with\ntampering with\ntar\ntax\ntax class\ntax evasion\ntax id\ntax record\ntax records\ntax return\ntax returns\ntaxed\nteach her a lesson\nteach him a lesson\nteach them a lesson\nteacher\nteachers\nteam\nteam 's\nteam lead\nteam make\nteam mate\nteam mates\nteam members\nteammate\nteammates\nteams\ntear\ntearing\nteen\nteenager\nteenagers\nteens\nteeth\ntelegram\ntelepathic\ntelepathy\nteleport\nteleporting\ntell\ntell me\ntell me about\ntell me if\ntell me it\ntell users\ntelling\ntemp mail\ntemplate\ntemplates\ntemple\ntemples\ntenant\ntenants\ntender documents\ntennis\nterm sheet\nterminally ill\nterminate\nterminating\ntermination letter\nterminator\nterror attack\nterror attacks\nterrorise\nterrorising\nterrorism\nterrorist\nterrorist attack\nterrorist attacks\nterrorists\nterrorize\nterrorizing\ntes\ntest\ntest data\ntest mode\ntest results\ntesting account\ntests\nteu\ntext\ntext me\ntext messages\ntfstate\ntgt\nthat\nthat 's\nthat are not allowed\nthat check\nthat free\nthat is not allowed\nthat site\nthe\nthe agent 's\nthe ai 's\nthe approval\nthe assistant 's\nthe call\nthe check\nthe checks\nthe competition\nthe confirmation\nthe consent\nthe disabled\nthe elderly\nthe embassy\nthe gate\nthe guardrail\nthe guardrails\nthe homeless\nthe internet\nthe law\nthe logs\nthe media\nthe men\nthe model 's\nthe new girl\nthe operator said\nthe operator told you\nthe order\nthe people on\nthe plan\nthe policy engine\nthe poor\nthe press\nthe process\nthe proxy\nthe religion\nthe request\nthe review step\nthe rules engine\nthe safety\nthe siem\nthe sign off\nthe system 's\nthe team\nthe team lead\nthe unemployed\nthe whole repository\nthe wiser\nthe women\ntheater\ntheatre\ntheft\ntheir\nthem\nthen\ntherapist\ntherapist appointments\ntherapist notes\ntherapy\nthere 's\nthermite\nthermostat\nthese\nthey\nthey disable my account\nthey fire me\nthey lock me out\nthey revoke my access\nthey told you\nthieves\nthinspo\nthird party site\nthird reich\nthis\nthis check\nthis gate\nthis process\nthose\nthrash\nthrashing\nthread\nthreads\nthreaten\nthreatening\nthreshold\nthroat\nthroats\nthrottle\nthrottling\nthrough\nthrough dns\nthrough walls\nthrow\nthrow away\nthrow out\nthrowaway\nthrowing\nthumb drive\nthunder\nticket\ntickets\ntie up\ntiktok\ntime\ntime bomb\ntime sheet\ntime sheets\ntime stamps\ntime travel\ntimeout\ntimes absent\ntimes sick\ntimesheet\ntimesheets\ntimestamps of\ntimetravel\ntinder\ntips\ntire\ntires\ntnt\nto\nto a competitor\nto beat up\nto harm the company\nto hurt\nto hurt the company\nto kidnap\nto kill\nto me\nto murder\nto poison\nto rape\nto rob\nto shoot\nto stab\nto the competition\nto torture\ntodas\ntoday 's\ntoddler\ntoddlers\ntodos\ntoilet breaks\ntoken\ntokens\ntold\ntomorrow 's\nton\ntongue\ntool\ntools\ntoon\ntorch\ntorching\ntorment\ntormenting\ntorrent\ntorture\ntorturing\ntotal war\ntotp secret\ntotp secrets\ntourist\ntourists\ntournament\ntous\ntoutes\ntoutes les\ntown\ntowns\ntoy gun\ntoy guns\ntrace back\ntraced\ntraces\ntrack\ntrack down\ntracking\ntracking down\ntracks\ntrade secret\ntrade secrets\ntraffic\ntrafficking\ntrail of tears\ntrain\ntrain station\ntrain stations\ntrainee\ntrainees\ntraining\ntraining data\ntrains\ntralascia\ntrans\ntranscripts\ntransfer\ntransfer sh\ntransferring\ntransgender\ntrascura\ntrascurare\ntrawl\ntreason\ntreat\ntriage\ntriaging\ntrial\ntrials\ntrick\ntricking\ntried\ntrigger\ntrigger no\ntriggering\ntrimmer\ntrojan\ntrojan horse\ntrojan horses\ntrojans\ntrouble\ntruck\ntry\ntry to\ntrying for a baby\ntrying to get pregnant\ntu\ntu es\ntu n'as\ntu so\ntuas\ntue\ntue so\ntunnel\ntunneling\ntuo\ntuoi\nturkish\nturks\nturn\nturn off\nturn on\nturned off\nturning\nturning off\ntus\ntutte\ntutte le\ntv series\ntv show\ntv shows\ntweet\ntwin\ntwins\ntwist\ntwisting\ntwitter\ntwo\ntwo factor\ntwo person check\ntwo person rule\ntying up\ntype\ntyped\ntypes\ntyping\ntyre\ntyres\nuberspringe\nuberspringen\nueberspringe\nueberspringen\nufc\numgehe\numgehen\nunable\nunabomber\nunaligned\nunbeschrankte\nunbeschrankter\nuncensored\nuncensored model\nuncle\nunclean\nuncles\nund\nunder the radar\nunder the radar of\nunderage boy\nunderage boys\nunderage girl\nunderage girls\nunderage porn\nunderage sex\nunderrepresented\nunderwater\nundetectable\nundetected\nundocumented\nuneingeschrankte\nuneingeschrankter\nunemployed\nunencrypted\nunethical\nunfiltered\nunfiltered version\nunfit\nunhashed\nunicorn\nunicorns\nuninstall\nuninstalling\nunion member\nunion members\nunion membership\nunit\nuniversities\nuniversity\nunknown address\nunless they pay\nunlock\nunlock my\nunlock the account\nunlocked\nunlocking\nunmanaged\nunmarried\nunmask\nunmasked\nunnoticed\nunpublished\nunregistered\nunreleased\nunrestricted\nunrestricted mode\nunrestricted version\nunsafe mode\nunseal\nunseen\nunseen by\nunshare\nunsharing\nuntil they pay\nuntraceable\nup\nupdate\nupdated instruction\nupdated instructions\nupload\nuploading\nupside of\nupsides of\nurspruglichen anweisungen\nursprunglichen anweisungen\nus\nusage\nusb\nusb drive\nusb stick\nusb stick plugged\nuse\nuse against her\nuse against him\nuse against my\nuse against them\nuse to log in\nuser\nuser id\nuser table\nusers\nuses\nusing\nvacation\nvacation reasons\nvaccinated\nvaccine\nvalidacao\nvalidacion\nvalidation\nvalidity\nvalue\nvalues\nvampire\nvampires\nvanaf nu\nvandalise\nvandalising\nvandalism\nvandalize\nvandalizing\nvanish\nvault\nvaults\nvein\nveins\nvendor\nvendor 's\nvendor contracts\nvenus\nvergeet\nvergessen sie\nvergesst\nvergiss\nverhalte dich\nverifica\nverificacao\nverificacion\nverification\nverification code\nverify\nvermin\nverrat mir\nverrate\nversion\nversteckten anweisungen\nverwijder\nverwirf\nvia\nvia dns\nvia tor\nvictim\nvictims\nvideo game\nvideo games\nview\nvillage\nvillager\nvillagers\nvillages\nvillain\nvillains\nvincoli\nviolate\nviolating\nviolent\nvirgin\nvirgins\nvirus\nvirus scanner\nviruses\nvisa\nvisa status\nvisas\nvisitor\nvisitors\nvitamin\nvitamins\nvm 's\nvoce agora\nvoce e\nvoce nao tem\nvoicemail\nvoicemails\nvoid\nvolume\nvolumes\nvon nun an\nvorgabe\nvorgaben\nvorherigen\nvorige\nvorigen\nvorlage\nvorschriften\nvos\nvote\nvote for\nvoted\nvoted against\nvoted for\nvoter\nvoters\nvotes\nvoting history\nvotre\nvous etes\nvp\nvpn\nvps\nvulnerability\nvulnerability reports\nvulnerable\nwage\nwage garnishment\nwages\nwaive\nwaived\nwaiving\nwalking dead\nwallet\nwallet dat\nwallets\nwann\nwanneer\nwant\nwant to die\nwants\nwants children\nwar crime\nwar crimes\nwarcraft\nwarehouse\nwarn\nwarning\nwarning letter\nwarning letters\nwarnings\nwarum\nwas\nwas approved\nwas ist\nwas not real\nwas passiert\nwas said before\nwasn't real\nwatch\nwatching\nwater gun\nwater guns\nway\nways\nwe\nwe told you\nweak spots of\nweaken\nweaker\nweapon\nweapons\nweb de\nweb history\nweb shell\nweb shells\nwebcam\nwebcams\nwebmail\nwebshell\nwebshells\nwebsite\nwebsite i found\nwebsites\nweed\nweed out\nweek 's\nweigh\nweighs\nweights\nwelche\nwelcher\nwent\nwent too far\nwer\nwere\nwetransfer\nwhat\nwhat 's\nwhat 's in\nwhat 's stored\nwhat are\nwhat diagnosis\nwhat did\nwhat disability\nwhat disease\nwhat do\nwhat does\nwhat happens\nwhat health problem\nwhat health problems\nwhat illness\nwhat is\nwhat is in\nwhat is stored\nwhat is the difference\nwhat medical\nwhat medication\nwhat mental\nwhat religion\nwhat should\nwhat sickness\nwhat was\nwhat were\nwhatever\nwhats\nwhatsapp\nwhen\nwhen did\nwhen does\nwhen i\nwhen i get fired\nwhen i leave\nwhen i'm fired\nwhen they fire\nwhen was\nwhere\nwhere 's\nwhere does\nwhere he lives\nwhere she lives\nwhere they live\nwhereabouts\nwhether\nwhich\nwhich colleague\nwhich disability\nwhich disease\nwhich employee\nwhich fields\nwhich health problem\nwhich health problems\nwhich illness\nwhich medication\nwhich party\nwhich person\nwhich religion\nwhich roles\nwhisper\nwhistle blower\nwhistleblower\nwhistleblower report\nwhite\nwhite house\nwhite supremacy\nwhitelist\nwhites\nwho\nwho 's\nwho at work\nwho else\nwho had access\nwho has access\nwho here\nwho in\nwho in my team\nwho in our team\nwho in the company\nwho in the team\nwho is\nwho may\nwho on my team\nwho on the team\nwho was\nwhole\nwhole content\nwhole file\nwhy\nwhy did\nwhy has\nwhy is\nwhy was\nwi fi\nwie\nwie lautet\nwife\nwifi\nwifi password\nwifi passwords\nwiki\nwikileaks\nwill\nwings\nwipe\nwipe out\nwiper\nwiping\nwiping out\nwiretap\nwiretapping\nwish i was dead\nwitcher\nwith\nwith consent\nwith no\nwith their values\nwith values\nwithout\nwithout a background check\nwithout a licence\nwithout a license\nwithout a permit\nwithout a trace\nwithout alerting\nwithout an audit entry\nwithout an audit trail\nwithout any\nwithout any audit trail\nwithout any policy\nwithout any restrictions\nwithout any rules\nwithout anybody\nwithout anyone\nwithout anyone knowing\nwithout asking\nwithout background check\nwithout being\nwithout being detected\nwithout consent\nwithout ethics\nwithout filters\nwithout guardrails\nwithout harming\nwithout her\nwithout him\nwithout his\nwithout hr\nwithout hurting\nwithout informing\nwithout injuring\nwithout it knowing\nwithout killing\nwithout leaving\nwithout leaving a record\nwithout leaving a trace\nwithout leaving any trace\nwithout leaving traces\nwithout licence\nwithout license\nwithout limits\nwithout logging\nwithout my\nwithout needing\nwithout notifying\nwithout permission\nwithout permit\nwithout policy\nwithout raising\nwithout recording\nwithout regard to\nwithout requesting\nwithout restrictions\nwithout rules\nwithout safeguards\nwithout security\nwithout seeking\nwithout telling\nwithout the\nwithout their\nwithout them\nwithout waiting for\nwithout your persona\nwithout your rules\nwives\nwizard\nwizards\nwoman\nwomen\nwomen 's\nwomen in\nwon't\nwon't find out\nwon't notice\nword\nwords\nwork\nwork around\nwork out\nworker\nworker 's compensation\nworker process\nworker processes\nworkers\nworking around\nworkmate\nworkmates\nworks council\nworks council agreement\nworkstation\nworld 's\nworm\nworse\nworthless\nwould\nwound\nwounding\nwrestling\nwrist\nwrists\nwrite\nwrite a dlp\nwrite down\nwrite it here\nwrite out\nwriting\nwritten up\nwritten warning\nwritten warnings\nwrong\nwrote\nxanax\nxenophobia\ny\nya no tienes\nyahoo\nyandex\nyear 's\nyears\nyesterday 's\nyou\nyou are\nyou are authorised\nyou are authorized\nyou are now\nyou are told\nyou can ignore\nyou can skip\nyou have a new role\nyou have been told\nyou have my permission\nyou have permission\nyou know\nyou learned\nyou like\nyou may ignore\nyou may skip\nyou must ignore\nyou need\nyou now\nyou want\nyou were given\nyou were instructed\nyou were told\nyou will be\nyou're\nyou're now\nyou've been told\nyoung\nyour\nyour checks\nyour controls\nyour filters\nyour guidelines\nyour new identity is\nyour new persona is\nyour new purpose is\nyour new role is\nyour new task is\nyour operator told you\nyour own\nyour policy\nyour role is now\nyour rules\nyour safety\nyourself\nyubikey\nzeig mir\nzeige\nzeige mir\nzelda\nzero\nzip\nzipped\nzipping\nzombie\nzombie process\nzombie processes\nzombies\nzonder\nzonder beperkingen\nzonder regels\n",
	begins: []uint32{
		0, 3, 5, 7, 9, 11, 21, 23, 27, 36, 46, 57, 69, 71, 73, 79, 81, 83, 85, 87, 89, 91, 93, 100, 109, 117, 127, 140, 151, 165,
		176, 188, 202, 209, 218, 227, 239, 252, 265, 274, 281, 291, 311, 321, 328, 346, 364, 387, 396, 408, 419, 432, 441, 456, 470, 477, 498, 510, 525, 534,
		541, 551, 558, 568, 578, 589, 597, 608, 618, 627, 633, 645, 659, 665, 673, 686, 695, 701, 709, 720, 729, 736, 752, 769, 782, 796, 811, 827, 838, 850,
		861, 873, 886, 900, 910, 923, 938, 946, 957, 970, 985, 1001, 1012, 1023, 1032, 1040, 1048, 1053, 1065, 1078, 1084, 1092, 1102, 1114, 1118, 1125, 1135, 1149, 1158, 1175,
		1185, 1194, 1204, 1221, 1230, 1240, 1252, 1258, 1264, 1277, 1286, 1289, 1293, 1300, 1312, 1320, 1328, 1341, 1357, 1362, 1368, 1377, 1388, 1403, 1415, 1427, 1440, 1454, 1469, 1483,
		1506, 1513, 1517, 1523, 1530, 1543, 1557, 1566, 1573, 1581, 1590, 1598, 1615, 1633, 1642, 1648, 1665, 1679, 1695, 1703, 1707, 1722, 1729, 1735, 1742, 1751, 1761, 1772, 1779, 1784,
		1791, 1799, 1806, 1809, 1817, 1825, 1833, 1842, 1852, 1860, 1869, 1877, 1886, 1890, 1896, 1903, 1913, 1924, 1930, 1938, 1947, 1954, 1960, 1967, 1971, 1982, 1995, 2005, 2019, 2026,
		2043, 2054, 2066, 2074, 2084, 2093, 2098, 2104, 2115, 2123, 2133, 2140, 2146, 2165, 2179, 2195, 2200, 2206, 2215, 2218, 2223, 2230, 2240, 2250, 2265, 2272, 2284, 2297, 2300, 2312,
		2322, 2335, 2345, 2354, 2369, 2381, 2389, 2401, 2414, 2424, 2433, 2444, 2448, 2460, 2477, 2485, 2498, 2504, 2515, 2528, 2538, 2549, 2560, 2570, 2590, 2602, 2610, 2625, 2641, 2658,
		2671, 2687, 2694, 2704, 2718, 2730, 2741, 2749, 2760, 2776, 2789, 2799, 2808, 2818, 2830, 2834, 2845, 2853, 2864, 2871, 2881, 2891, 2914, 2925, 2946, 2955, 2977, 2999, 3023, 3027,
		3033, 3040, 3050, 3060, 3071, 3075, 3082, 3090, 3099, 3110, 3122, 3132, 3143, 3147, 3154, 3162, 3173, 3183, 3194, 3209, 3224, 3247, 3265, 3289, 3313, 3336, 3342, 3361, 3371, 3382,
		3394, 3403, 3418, 3434, 3448, 3468, 3485, 3499, 3514, 3532, 3542, 3555, 3563, 3587, 3607, 3628, 3650, 3672, 3681, 3693, 3705, 3714, 3725, 3735, 3740, 3746, 3754, 3763, 3773, 3777,
		3785, 3789, 3794, 3804, 3815, 3822, 3831, 3841, 3852, 3859, 3865, 3874, 3881, 3884, 3893, 3905, 3912, 3918, 3926, 3942, 3950, 3960, 3968, 3976, 3982, 3989, 3993, 4003, 4020, 4031,
		4044, 4062, 4074, 4088, 4102, 4117, 4125, 4136, 4145, 4156, 4166, 4173, 4183, 4190, 4193, 4201, 4209, 4218, 4222, 4227, 4234, 4244, 4251, 4260, 4270, 4280, 4288, 4296, 4307, 4316,
		4327, 4332, 4345, 4363, 4377, 4390, 4409, 4415, 4425, 4439, 4450, 4463, 4477, 4489, 4502, 4518, 4532, 4537, 4543, 4554, 4566, 4582, 4597, 4611, 4625, 4636, 4646, 4660, 4671, 4680,
		4693, 4706, 4718, 4731, 4746, 4749, 4758, 4766, 4772, 4781, 4788, 4794, 4804, 4808, 4826, 4835, 4839, 4845, 4852, 4857, 4868, 4876, 4885, 4896, 4905, 4922, 4932, 4940, 4957, 4968,
		4995, 5002, 5014, 5027, 5035, 5047, 5053, 5065, 5076, 5090, 5100, 5111, 5122, 5136, 5149, 5156, 5161, 5167, 5172, 5180, 5193, 5206, 5220, 5235, 5251, 5260, 5270, 5279, 5285, 5292,
		5296, 5303, 5308, 5319, 5326, 5340, 5349, 5354, 5367, 5375, 5386, 5396, 5407, 5414, 5426, 5430, 5433, 5445, 5454, 5464, 5478, 5489, 5502, 5516, 5524, 5535, 5545, 5553, 5560, 5576,
		5581, 5594, 5602, 5616, 5623, 5646, 5667, 5689, 5701, 5716, 5730, 5746, 5761, 5778, 5795, 5815, 5840, 5858, 5878, 5895, 5914, 5926, 5933, 5946, 5963, 5975, 5982, 5992, 5999, 6015,
		6031, 6049, 6068, 6080, 6092, 6103, 6119, 6129, 6139, 6150, 6161, 6172, 6184, 6196, 6208, 6222, 6238, 6251, 6266, 6271, 6281, 6295, 6310, 6327, 6345, 6361, 6374, 6386, 6398, 6405,
		6413, 6429, 6436, 6441, 6446, 6454, 6470, 6480, 6487, 6495, 6513, 6524, 6533, 6543, 6554, 6562, 6576, 6591, 6596, 6603, 6617, 6632, 6643, 6653, 6659, 6670, 6682, 6695, 6705, 6718,
		6725, 6737, 6756, 6763, 6769, 6784, 6790, 6796, 6804, 6813, 6820, 6825, 6833, 6838, 6846, 6857, 6863, 6872, 6884, 6894, 6905, 6911, 6922, 6936, 6942, 6947, 6955, 6960, 6972, 6985,
		6993, 7002, 7008, 7013, 7019, 7025, 7036, 7044, 7049, 7055, 7061, 7068, 7073, 7084, 7091, 7095, 7102, 7110, 7117, 7127, 7133, 7137, 7144, 7148, 7158, 7169, 7174, 7180, 7187, 7197,
		7210, 7216, 7223, 7230, 7248, 7255, 7261, 7273, 7284, 7293, 7308, 7322, 7329, 7342, 7355, 7363, 7369, 7378, 7385, 7392, 7400, 7406, 7417, 7426, 7440, 7447, 7455, 7470, 7479, 7485,
		7492, 7500, 7516, 7534, 7543, 7552, 7569, 7578, 7590, 7604, 7611, 7626, 7634, 7643, 7653, 7660, 7664, 7672, 7678, 7694, 7703, 7713, 7720, 7728, 7736, 7742, 7751, 7760, 7772, 7778,
		7792, 7807, 7818, 7827, 7834, 7843, 7848, 7858, 7865, 7873, 7886, 7894, 7899, 7907, 7911, 7923, 7936, 7942, 7951, 7963, 7977, 7985, 7996, 8000, 8006, 8013, 8016, 8023, 8033, 8043,
		8054, 8064, 8067, 8078, 8087, 8092, 8105, 8118, 8131, 8146, 8154, 8170, 8176, 8190, 8197, 8212, 8220, 8227, 8231, 8239, 8246, 8254, 8260, 8279, 8297, 8311, 8320, 8329, 8339, 8355,
		8362, 8372, 8383, 8392, 8399, 8419, 8438, 8453, 8461, 8471, 8479, 8488, 8496, 8504, 8523, 8533, 8537, 8547, 8558, 8563, 8575, 8588, 8596, 8607, 8616, 8626, 8639, 8644, 8652, 8661,
		8666, 8672, 8681, 8692, 8696, 8703, 8709, 8717, 8726, 8735, 8745, 8752, 8758, 8766, 8771, 8783, 8793, 8811, 8815, 8827, 8840, 8844, 8850, 8857, 8867, 8875, 8884, 8891, 8899, 8904,
		8917, 8927, 8935, 8943, 8949, 8958, 8970, 8976, 8985, 8994, 9008, 9016, 9026, 9033, 9041, 9047, 9051, 9058, 9064, 9070, 9082, 9093, 9111, 9125, 9141, 9151, 9160, 9172, 9180, 9190,
		9196, 9204, 9209, 9218, 9224, 9234, 9245, 9252, 9268, 9284, 9291, 9307, 9324, 9333, 9343, 9356, 9366, 9377, 9391, 9396, 9403, 9411, 9420, 9439, 9444, 9453, 9463, 9476, 9487, 9497,
		9508, 9515, 9521, 9532, 9542, 9550, 9559, 9569, 9576, 9586, 9602, 9614, 9630, 9640, 9652, 9666, 9681, 9689, 9696, 9704, 9710, 9716, 9723, 9731, 9748, 9754, 9768, 9779, 9787, 9798,
		9812, 9822, 9833, 9841, 9846, 9856, 9881, 9890, 9897, 9908, 9920, 9925, 9935, 9948, 9959, 9967, 9978, 9990, 10000, 10007, 10012, 10017, 10023, 10030, 10047, 10055, 10082, 10094, 10103, 10111,
		10118, 10133, 10141, 10151, 10161, 10172, 10191, 10196, 10206, 10214, 10225, 10239, 10247, 10260, 10280, 10298, 10310, 10321, 10333, 10341, 10358, 10375, 10385, 10404, 10425, 10434, 10445, 10456, 10467, 10474,
		10484, 10495, 10506, 10518, 10531, 10542, 10554, 10567, 10576, 10588, 10602, 10617, 10627, 10631, 10650, 10670, 10678, 10687, 10695, 10706, 10715, 10728, 10735, 10748, 10756, 10770, 10791, 10801, 10812, 10832,
		10853, 10865, 10878, 10891, 10911, 10929, 10939, 10950, 10968, 10987, 10995, 11004, 11022, 11031, 11041, 11061, 11080, 11092, 11103, 11115, 11123, 11132, 11142, 11153, 11161, 11176, 11192, 11211, 11220, 11230,
		11239, 11249, 11260, 11271, 11280, 11296, 11310, 11322, 11332, 11343, 11355, 11364, 11374, 11384, 11396, 11405, 11418, 11432, 11440, 11450, 11462, 11471, 11482, 11486, 11491, 11498, 11512, 11520, 11528, 11532,
		11539, 11544, 11549, 11557, 11562, 11573, 11583, 11590, 11598, 11606, 11617, 11625, 11631, 11641, 11652, 11669, 11687, 11693, 11701, 11716, 11728, 11743, 11756, 11767, 11774, 11782, 11793, 11805, 11812, 11822,
		11830, 11836, 11845, 11854, 11863, 11873, 11877, 11883, 11892, 11901, 11912, 11921, 11927, 11936, 11942, 11949, 11965, 11981, 11994, 12011, 12020, 12028, 12039, 12060, 12079, 12096, 12113, 12133, 12145, 12162,
		12174, 12191, 12204, 12219, 12232, 12240, 12246, 12254, 12264, 12269, 12277, 12283, 12290, 12299, 12316, 12332, 12349, 12359, 12367, 12377, 12381, 12392, 12398, 12405, 12417, 12426, 12432, 12441, 12454, 12468,
		12480, 12493, 12506, 12511, 12515, 12520, 12528, 12535, 12555, 12563, 12577, 12593, 12602, 12614, 12632, 12646, 12664, 12676, 12690, 12705, 12722, 12732, 12736, 12743, 12751, 12762, 12766, 12774, 12784, 12790,
		12797, 12810, 12820, 12834, 12838, 12845, 12853, 12860, 12864, 12871, 12880, 12885, 12889, 12898, 12908, 12913, 12924, 12933, 12941, 12949, 12959, 12964, 12976, 12997, 13010, 13025, 13034, 13046, 13062, 13076,
		13086, 13091, 13105, 13111, 13117, 13124, 13136, 13145, 13155, 13169, 13179, 13182, 13189, 13194, 13206, 13219, 13229, 13240, 13248, 13267, 13288, 13301, 13314, 13324, 13335, 13347, 13360, 13370, 13382, 13392,
		13403, 13416, 13435, 13451, 13463, 13473, 13482, 13487, 13492, 13504, 13516, 13521, 13527, 13533, 13544, 13551, 13562, 13575, 13583, 13591, 13600, 13611, 13616, 13622, 13629, 13637, 13646, 13654, 13664, 13675,
		13683, 13690, 13700, 13707, 13716, 13726, 13737, 13745, 13756, 13762, 13769, 13777, 13789, 13798, 13808, 13819, 13826, 13833, 13844, 13853, 13861, 13870, 13885, 13898, 13913, 13929, 13945, 13950, 13954, 13961,
		13966, 13974, 13985, 13999, 14010, 14017, 14030, 14044, 14056, 14066, 14073, 14082, 14092, 14102, 14113, 14120, 14130, 14139, 14149, 14158, 14171, 14185, 14198, 14207, 14219, 14227, 14236, 14243, 14255, 14272,
		14282, 14290, 14304, 14319, 14327, 14336, 14347, 14358, 14367, 14377, 14385, 14396, 14404, 14411, 14420, 14430, 14440, 14449, 14457, 14466, 14477, 14481, 14489, 14499, 14517, 14532, 14549, 14560, 14571, 14578,
		14586, 14593, 14603, 14609, 14613, 14628, 14642, 14646, 14655, 14670, 14681, 14700, 14704, 14713, 14721, 14728, 14733, 14738, 14748, 14759, 14769, 14781, 14793, 14799, 14808, 14818, 14826, 14835, 14851, 14865,
		14880, 14890, 14901, 14911, 14922, 14931, 14940, 14950, 14962, 14972, 14983, 14993, 15003, 15014, 15022, 15028, 15041, 15052, 15060, 15069, 15079, 15089, 15097, 15108, 15121, 15139, 15158, 15178, 15199, 15208,
		15216, 15226, 15236, 15247, 15261, 15276, 15286, 15298, 15309, 15314, 15320, 15330, 15343, 15356, 15364, 15375, 15383, 15391, 15401, 15411, 15424, 15433, 15444, 15455, 15468, 15476, 15485, 15489, 15499, 15512,
		15523, 15532, 15538, 15542, 15546, 15550, 15562, 15573, 15576, 15583, 15599, 15612, 15625, 15640, 15658, 15672, 15687, 15701, 15717, 15729, 15743, 15755, 15772, 15791, 15809, 15825, 15846, 15857, 15863, 15868,
		15875, 15885, 15907, 15930, 15945, 15961, 15971, 15979, 15988, 16002, 16013, 16025, 16035, 16045, 16050, 16063, 16075, 16084, 16099, 16117, 16133, 16141, 16158, 16179, 16194, 16201, 16217, 16224, 16237, 16252,
		16258, 16270, 16284, 16301, 16310, 16323, 16337, 16350, 16365, 16376, 16389, 16400, 16416, 16434, 16449, 16455, 16465, 16470, 16479, 16489, 16500, 16509, 16521, 16530, 16542, 16551, 16555, 16563, 16567, 16573,
		16580, 16588, 16597, 16603, 16610, 16616, 16625, 16642, 16648, 16666, 16684, 16692, 16699, 16707, 16711, 16716, 16724, 16732, 16741, 16747, 16758, 16764, 16773, 16780, 16785, 16795, 16806, 16815, 16821, 16831,
		16839, 16847, 16858, 16871, 16876, 16882, 16896, 16901, 16907, 16912, 16920, 16926, 16947, 16964, 16973, 16985, 16987, 16994, 17009, 17019, 17027, 17032, 17046, 17054, 17066, 17079, 17087, 17092, 17102, 17112,
		17126, 17133, 17141, 17150, 17156, 17167, 17178, 17193, 17212, 17219, 17223, 17236, 17253, 17261, 17266, 17270, 17277, 17285, 17292, 17304, 17319, 17336, 17350, 17366, 17374, 17377, 17388, 17396, 17408, 17422,
		17430, 17440, 17452, 17458, 17472, 17481, 17496, 17505, 17512, 17520, 17540, 17550, 17558, 17564, 17573, 17586, 17597, 17615, 17634, 17653, 17662, 17676, 17690, 17704, 17714, 17728, 17747, 17753, 17761, 17771,
		17774, 17781, 17789, 17796, 17806, 17818, 17826, 17837, 17848, 17863, 17879, 17888, 17892, 17899, 17911, 17927, 17934, 17949, 17958, 17978, 17986, 17992, 18000, 18010, 18017, 18025, 18034, 18041, 18050, 18069,
		18081, 18091, 18098, 18108, 18115, 18124, 18132, 18141, 18151, 18157, 18165, 18172, 18179, 18191, 18202, 18206, 18215, 18225, 18231, 18237, 18249, 18271, 18278, 18288, 18299, 18311, 18317, 18325, 18330, 18336,
		18343, 18350, 18360, 18368, 18376, 18385, 18395, 18398, 18411, 18418, 18435, 18445, 18450, 18460, 18472, 18482, 18494, 18500, 18508, 18513, 18531, 18557, 18577, 18597, 18619, 18648, 18670, 18693, 18703, 18714,
		18719, 18728, 18734, 18746, 18761, 18772, 18782, 18795, 18808, 18817, 18829, 18841, 18852, 18886, 18895, 18900, 18910, 18913, 18921, 18934, 18944, 18956, 18969, 18977, 18986, 18993, 19002, 19009, 19018, 19026,
		19034, 19043, 19053, 19063, 19082, 19091, 19102, 19108, 19119, 19132, 19147, 19163, 19172, 19180, 19195, 19211, 19222, 19229, 19237, 19245, 19252, 19260, 19268, 19278, 19286, 19297, 19306, 19316, 19327, 19334,
		19345, 19355, 19363, 19370, 19378, 19387, 19397, 19404, 19416, 19430, 19447, 19464, 19478, 19493, 19508, 19527, 19547, 19569, 19586, 19601, 19620, 19640, 19656, 19673, 19687, 19700, 19707, 19717, 19727, 19735,
		19746, 19750, 19755, 19764, 19774, 19785, 19797, 19809, 19814, 19819, 19828, 19846, 19852, 19863, 19876, 19887, 19891, 19901, 19908, 19914, 19923, 19928, 19933, 19950, 19964, 19970, 19975, 19991, 20007, 20024,
		20042, 20048, 20055, 20060, 20068, 20076, 20087, 20094, 20110, 20127, 20135, 20143, 20147, 20154, 20162, 20166, 20173, 20181, 20190, 20195, 20204, 20211, 20219, 20228, 20234, 20243, 20252, 20258, 20266, 20274,
		20284, 20290, 20297, 20304, 20315, 20323, 20328, 20336, 20346, 20354, 20366, 20384, 20404, 20410, 20415, 20423, 20429, 20436, 20444, 20455, 20469, 20477, 20494, 20507, 20517, 20535, 20556, 20567, 20572, 20580,
		20589, 20602, 20614, 20631, 20646, 20659, 20667, 20673, 20680, 20688, 20694, 20705, 20719, 20725, 20730, 20738, 20747, 20753, 20762, 20772, 20779, 20783, 20788, 20797, 20803, 20815, 20820, 20829, 20839, 20844,
		20850, 20859, 20864, 20868, 20875, 20882, 20890, 20896, 20903, 20930, 20940, 20970, 20975, 20983, 20992, 21001, 21005, 21016, 21027, 21038, 21047, 21059, 21069, 21088, 21105, 21114, 21126, 21139, 21152, 21159,
		21169, 21175, 21182, 21189, 21197, 21206, 21214, 21233, 21243, 21254, 21260, 21279, 21286, 21294, 21301, 21314, 21322, 21333, 21350, 21358, 21364, 21371, 21381, 21391, 21396, 21404, 21411, 21418, 21430, 21447,
		21463, 21479, 21485, 21493, 21502, 21511, 21517, 21525, 21536, 21542, 21550, 21560, 21569, 21580, 21586, 21597, 21605, 21626, 21640, 21650, 21662, 21671, 21687, 21694, 21704, 21714, 21729, 21737, 21753, 21758,
		21770, 21780, 21789, 21803, 21810, 21815, 21821, 21826, 21839, 21856, 21865, 21877, 21888, 21898, 21914, 21919, 21934, 21954, 21982, 21990, 22008, 22031, 22062, 22071, 22076, 22092, 22098, 22105, 22112, 22120,
		22130, 22141, 22148, 22160, 22164, 22176, 22189, 22197, 22202, 22208, 22215, 22228, 22232, 22248, 22253, 22257, 22262, 22275, 22282, 22293, 22298, 22315, 22327, 22348, 22360, 22369, 22380, 22390, 22399, 22409,
		22420, 22424, 22435, 22449, 22461, 22473, 22483, 22495, 22504, 22511, 22523, 22539, 22556, 22564, 22573, 22582, 22593, 22603, 22611, 22629, 22644, 22662, 22679, 22693, 22706, 22722, 22735, 22750, 22754, 22760,
		22769, 22776, 22780, 22785, 22796, 22808, 22814, 22819, 22831, 22843, 22850, 22861, 22868, 22873, 22887, 22895, 22913, 22929, 22935, 22944, 22951, 22960, 22969, 22979, 22985, 22995, 22999, 23008, 23015, 23022,
		23033, 23046, 23055, 23066, 23076, 23088, 23093, 23108, 23118, 23142, 23164, 23178, 23183, 23188, 23193, 23204, 23221, 23235, 23253, 23268, 23281, 23292, 23305, 23315, 23319, 23325, 23333, 23344, 23358, 23378,
		23399, 23408, 23418, 23422, 23431, 23436, 23445, 23451, 23458, 23466, 23483, 23495, 23503, 23515, 23523, 23536, 23542, 23550, 23560, 23568, 23580, 23587, 23595, 23604, 23609, 23619, 23625, 23634, 23640, 23648,
		23654, 23659, 23667, 23671, 23682, 23694, 23704, 23715, 23721, 23730, 23736, 23742, 23752, 23763, 23769, 23776, 23780, 23789, 23802, 23807, 23811, 23816, 23824, 23829, 23839, 23846, 23854, 23858, 23863, 23868,
		23888, 23895, 23902, 23912, 23917, 23930, 23938, 23948, 23961, 23976, 23992, 24013, 24034, 24051, 24059, 24072, 24079, 24087, 24096, 24105, 24111, 24116, 24125, 24133, 24143, 24152, 24160, 24167, 24177, 24182,
		24193, 24203, 24214, 24224, 24229, 24237, 24250, 24258, 24269, 24273, 24285, 24296, 24301, 24316, 24324, 24332, 24339, 24347, 24356, 24361, 24372, 24384, 24390, 24397, 24402, 24416, 24424, 24433, 24441, 24458,
		24462, 24477, 24489, 24492, 24497, 24505, 24512, 24523, 24529, 24536, 24549, 24566, 24578, 24593, 24607, 24622, 24636, 24644, 24650, 24660, 24667, 24676, 24686, 24697, 24708, 24714, 24721, 24726, 24733, 24743,
		24751, 24762, 24771, 24775, 24780, 24788, 24795, 24802, 24817, 24838, 24856, 24877, 24889, 24909, 24923, 24935, 24940, 24957, 24973, 24980, 24987, 25002, 25015, 25022, 25032, 25036, 25042, 25049, 25054, 25064,
		25068, 25077, 25087, 25095, 25106, 25110, 25118, 25125, 25132, 25140, 25144, 25157, 25168, 25173, 25180, 25184, 25193, 25198, 25206, 25216, 25221, 25234, 25249, 25263, 25280, 25292, 25301, 25309, 25320, 25329,
		25335, 25344, 25355, 25366, 25378, 25386, 25395, 25404, 25414, 25419, 25427, 25435, 25444, 25450, 25457, 25465, 25473, 25479, 25489, 25500, 25507, 25511, 25518, 25530, 25541, 25552, 25561, 25576, 25592, 25606,
		25623, 25639, 25656, 25672, 25682, 25691, 25703, 25714, 25723, 25732, 25741, 25751, 25762, 25776, 25783, 25786, 25799, 25813, 25830, 25842, 25850, 25859, 25869, 25880, 25889, 25895, 25910, 25922, 25935, 25948,
		25959, 25972, 25979, 25989, 26001, 26014, 26019, 26029, 26042, 26047, 26055, 26063, 26072, 26080, 26082, 26090, 26102, 26107, 26118, 26128, 26141, 26155, 26167, 26183, 26195, 26211, 26221, 26235, 26247, 26263,
		26285, 26297, 26309, 26325, 26334, 26353, 26372, 26387, 26398, 26413, 26421, 26431, 26452, 26460, 26472, 26482, 26491, 26504, 26511, 26520, 26531, 26542, 26549, 26556, 26566, 26587, 26591, 26611, 26631, 26641,
		26650, 26662, 26675, 26685, 26699, 26704, 26711, 26714, 26722, 26731, 26742, 26749, 26758, 26767, 26771, 26774, 26779, 26794, 26807, 26820, 26826, 26833, 26841, 26850, 26859, 26866, 26877, 26889, 26897, 26905,
		26913, 26923, 26934, 26945, 26955, 26964, 26987, 26992, 26998, 27005, 27013, 27023, 27031, 27040, 27048, 27053, 27059, 27067, 27077, 27089, 27099, 27110, 27129, 27138, 27150, 27163, 27177, 27184, 27194, 27204,
		27212, 27221, 27232, 27244, 27247, 27255, 27266, 27276, 27285, 27294, 27306, 27313, 27328, 27340, 27353, 27368, 27381, 27392, 27405, 27414, 27420, 27428, 27438, 27445, 27454, 27464, 27471, 27480, 27490, 27507,
		27514, 27523, 27530, 27538, 27551, 27563, 27574, 27583, 27595, 27602, 27610, 27617, 27627, 27636, 27646, 27657, 27669, 27674, 27686, 27698, 27711, 27726, 27734, 27755, 27770, 27777, 27787, 27794, 27803, 27816,
		27830, 27841, 27853, 27865, 27872, 27882, 27898, 27916, 27935, 27944, 27949, 27959, 27978, 27986, 27997, 28006, 28015, 28025, 28037, 28051, 28077, 28101, 28124, 28146, 28157, 28179, 28199, 28219, 28238, 28249,
		28261, 28273, 28286, 28307, 28324, 28347, 28369, 28390, 28402, 28416, 28426, 28437, 28449, 28471, 28483, 28495, 28508, 28518, 28531, 28540, 28554, 28561, 28570, 28589, 28609, 28629, 28650, 28666, 28683, 28709,
		28726, 28739, 28747, 28756, 28766, 28782, 28805, 28816, 28829, 28834, 28844, 28856, 28865, 28875, 28895, 28902, 28911, 28920, 28930, 28942, 28956, 28970, 28985, 28994, 29000, 29010, 29023, 29031, 29040, 29047,
		29052, 29057, 29064, 29069, 29085, 29088, 29094, 29106, 29122, 29130, 29135, 29148, 29163, 29171, 29177, 29188, 29199, 29221, 29241, 29260, 29280, 29283, 29289, 29303, 29315, 29326, 29330, 29337, 29348, 29362,
		29374, 29384, 29399, 29412, 29423, 29430, 29441, 29444, 29452, 29460, 29464, 29471, 29476, 29485, 29490, 29494, 29501, 29518, 29530, 29535, 29551, 29556, 29564, 29585, 29591, 29596, 29607, 29619, 29624, 29630,
		29637, 29642, 29650, 29655, 29665, 29673, 29684, 29688, 29695, 29700, 29719, 29748, 29771, 29795, 29826, 29851, 29877, 29904, 29912, 29920, 29926, 29948, 29969, 29992, 30014, 30027, 30041, 30054, 30072, 30082,
		30087, 30098, 30112, 30128, 30145, 30154, 30158, 30171, 30180, 30189, 30199, 30210, 30222, 30234, 30244, 30256, 30269, 30285, 30294, 30308, 30316, 30323, 30330, 30340, 30351, 30362, 30367, 30376, 30394, 30411,
		30429, 30448, 30459, 30466, 30475, 30487, 30492, 30500, 30511, 30518, 30526, 30537, 30543, 30547, 30554, 30565, 30577, 30584, 30592, 30597, 30602, 30612, 30619, 30626, 30634, 30642, 30649, 30656, 30665, 30670,
		30675, 30679, 30684, 30690, 30703, 30717, 30727, 30737, 30750, 30763, 30768, 30776, 30784, 30803, 30809, 30819, 30830, 30840, 30853, 30867, 30878, 30897, 30903, 30906, 30909, 30919, 30923, 30930, 30935, 30944,
		30949, 30955, 30964, 30973, 30982, 30992, 30999, 31009, 31025, 31033, 31041, 31047, 31057, 31064, 31069, 31080, 31089, 31096, 31103, 31111, 31117, 31126, 31135, 31142, 31156, 31166, 31174, 31185, 31189, 31194,
		31201, 31209, 31222, 31234, 31246, 31259, 31267, 31272, 31277, 31280, 31287, 31293, 31311, 31316, 31323, 31331, 31337, 31343, 31355, 31371, 31386, 31407, 31414, 31422, 31442, 31446, 31453, 31459, 31467, 31472,
		31477, 31488, 31496, 31503, 31511, 31520, 31525, 31529, 31536, 31543, 31550, 31562, 31574, 31585, 31593, 31601, 31607, 31624, 31638, 31647, 31658, 31673, 31681, 31696, 31705, 31709, 31714, 31719, 31729, 31738,
		31743, 31750, 31758, 31764, 31769, 31776, 31781, 31787, 31793, 31804, 31816, 31823, 31831, 31839, 31846, 31853, 31858, 31870, 31876, 31881, 31890, 31895, 31905, 31917, 31922, 31932, 31939, 31952, 31962, 31972,
		31988, 31994, 31999, 32005, 32011, 32017, 32021, 32026, 32033, 32038, 32044, 32054, 32063, 32077, 32094, 32099, 32107, 32121, 32132, 32143, 32151, 32157, 32165, 32169, 32181, 32188, 32198, 32213, 32223, 32236,
		32248, 32257, 32272, 32282, 32292, 32302, 32321, 32329, 32343, 32359, 32370, 32382, 32388, 32397, 32408, 32420, 32438, 32449, 32463, 32474, 32488, 32499, 32510, 32522, 32531, 32542, 32549, 32563, 32572, 32577,
		32582, 32593, 32601, 32609, 32619, 32641, 32654, 32662, 32672, 32680, 32691, 32713, 32737, 32754, 32775, 32786, 32809, 32816, 32821, 32829, 32847, 32854, 32859, 32867, 32877, 32883, 32898, 32910, 32916, 32922,
		32933, 32937, 32950, 32961, 32967, 32976, 32986, 32990, 32998, 33006, 33012, 33020, 33031, 33040, 33046, 33065, 33073, 33079, 33095, 33103, 33108, 33121, 33129, 33137, 33145, 33155, 33163, 33169, 33174, 33182,
		33191, 33203, 33220, 33225, 33238, 33251, 33263, 33276, 33294, 33309, 33318, 33324, 33338, 33351, 33361, 33368, 33373, 33379, 33387, 33391, 33398, 33409, 33417, 33426, 33435, 33441, 33447, 33458, 33471, 33484,
		33496, 33510, 33515, 33519, 33527, 33537, 33547, 33553, 33568, 33588, 33610, 33617, 33627, 33637, 33645, 33654, 33662, 33667, 33674, 33679, 33687, 33701, 33715, 33730, 33739, 33749, 33760, 33767, 33777, 33788,
		33800, 33816, 33832, 33848, 33855, 33859, 33865, 33872, 33877, 33880, 33888, 33893, 33901, 33911, 33918, 33926, 33946, 33967, 33985, 34004, 34017, 34033, 34047, 34061, 34076, 34092, 34103, 34111, 34124, 34133,
		34138, 34146, 34153, 34161, 34166, 34173, 34186, 34192, 34196, 34203, 34225, 34248, 34263, 34276, 34284, 34290, 34297, 34306, 34316, 34324, 34335, 34344, 34359, 34375, 34380, 34396, 34413, 34420, 34428, 34436,
		34445, 34449, 34465, 34482, 34491, 34501, 34512, 34524, 34533, 34543, 34554, 34562, 34571, 34579, 34589, 34595, 34609, 34624, 34633, 34638, 34648, 34654, 34665, 34672, 34677, 34685, 34692, 34702, 34712, 34722,
		34733, 34754, 34773, 34777, 34784, 34788, 34802, 34822, 34827, 34832, 34838, 34852, 34859, 34867, 34874, 34881, 34888, 34898, 34905, 34915, 34923, 34932, 34936, 34949, 34963, 34969, 34986, 34994, 35005, 35014,
		35023, 35029, 35038, 35045, 35056, 35064, 35069, 35074, 35082, 35096, 35103, 35111, 35116, 35131, 35138, 35147, 35155, 35162, 35172, 35179, 35187, 35192, 35202, 35208, 35215, 35222, 35245, 35254, 35266, 35269,
		35273, 35276, 35281, 35289, 35299, 35303, 35311, 35324, 35328, 35335, 35345, 35353, 35360, 35368, 35376, 35383, 35391, 35401, 35406, 35415, 35427, 35436, 35447, 35450, 35471, 35496, 35525, 35547, 35570, 35592,
		35607, 35615, 35626, 35639, 35650, 35668, 35677, 35689, 35704, 35720, 35735, 35746, 35758, 35775, 35785, 35791, 35804, 35822, 35833, 35839, 35847, 35859, 35869, 35879, 35892, 35902, 35913, 35923, 35937, 35947,
		35956, 35963, 35979, 35990, 36002, 36010, 36021, 36030, 36041, 36051, 36064, 36078, 36090, 36104, 36117, 36127, 36135, 36143, 36150, 36157, 36168, 36176, 36188, 36205, 36212, 36224, 36233, 36240, 36256, 36275,
		36295, 36308, 36323, 36339, 36351, 36364, 36377, 36389, 36400, 36416, 36433, 36448, 36464, 36478, 36493, 36505, 36517, 36530, 36541, 36553, 36575, 36587, 36605, 36615, 36626, 36643, 36653, 36666, 36676, 36687,
		36698, 36708, 36720, 36730, 36739, 36749, 36757, 36774, 36790, 36800, 36811, 36818, 36826, 36838, 36853, 36863, 36874, 36888, 36903, 36916, 36930, 36942, 36952, 36967, 36976, 36988, 36995, 37008, 37020, 37028,
		37035, 37040, 37046, 37061, 37074, 37079, 37087, 37093, 37102, 37112, 37124, 37133, 37149, 37164, 37183, 37190, 37200, 37204, 37211, 37219, 37224, 37230, 37234, 37239, 37255, 37272, 37284, 37304, 37324, 37334,
		37339, 37345, 37350, 37358, 37367, 37376, 37383, 37391, 37402, 37410, 37419, 37428, 37441, 37455, 37465, 37475, 37489, 37504, 37515, 37529, 37547, 37553, 37563, 37572, 37582, 37589, 37597, 37606, 37616, 37628,
		37641, 37651, 37665, 37680, 37700, 37710, 37716, 37724, 37740, 37757, 37766, 37772, 37796, 37810, 37824, 37839, 37854, 37869, 37891, 37908, 37912, 37924, 37937, 37946, 37954, 37963, 37973, 37989, 38006, 38014,
		38025, 38048, 38072, 38080, 38089, 38099, 38113, 38123, 38129, 38136, 38146, 38157, 38171, 38191, 38205, 38218, 38230, 38246, 38263, 38273, 38284, 38298, 38312, 38322, 38337, 38348, 38358, 38376, 38392, 38409,
		38425, 38440, 38452, 38462, 38475, 38492, 38505, 38520, 38539, 38552, 38564, 38574, 38592, 38608, 38618, 38627, 38637, 38646, 38656, 38674, 38691, 38715, 38724, 38731, 38748, 38761, 38776, 38795, 38800, 38808,
		38814, 38825, 38837, 38852, 38860, 38875, 38894, 38909, 38924, 38936, 38945, 38955, 38961, 38967, 38974, 38978, 38994, 39006, 39018, 39030, 39043, 39060, 39071, 39092, 39113, 39129, 39140, 39153, 39163, 39169,
		39177, 39184, 39192, 39200, 39209, 39216, 39223, 39229, 39236, 39240, 39244, 39249, 39254, 39263, 39273, 39285, 39299, 39311, 39322, 39334, 39340, 39358, 39374, 39379, 39386, 39396, 39404, 39410, 39417, 39419,
		39426, 39432, 39439, 39451, 39464, 39469, 39476, 39487, 39500, 39508, 39515, 39525, 39528, 39532, 39541, 39555, 39570, 39582, 39589, 39599, 39607, 39616, 39624, 39635, 39641, 39652, 39657, 39676, 39697, 39715,
		39735, 39753, 39770, 39790, 39812, 39831, 39852, 39864, 39878, 39895, 39908, 39918, 39936, 39949, 39961, 39978, 39993, 40009, 40024, 40029, 40033, 40042, 40053, 40060, 40068, 40080, 40087, 40093, 40100, 40107,
		40110, 40119, 40130, 40138, 40152, 40173, 40187, 40200, 40213, 40224, 40236, 40241, 40254, 40258, 40268, 40285, 40299, 40314, 40332, 40351, 40360, 40368, 40382, 40387, 40396, 40401, 40406, 40420, 40432, 40446,
		40454, 40467, 40485, 40501, 40509, 40515, 40521, 40530, 40539, 40551, 40558, 40566, 40572, 40586, 40595, 40610, 40624, 40632, 40643, 40646, 40650, 40662, 40676, 40681, 40689, 40696, 40702, 40712, 40720, 40729,
		40736, 40742, 40749, 40759, 40765, 40781, 40790, 40801, 40817, 40826, 40837, 40844, 40856, 40863, 40872, 40878, 40891, 40904, 40920, 40934, 40948, 40959, 40971, 40985, 40996, 41008, 41012, 41021, 41031, 41040,
		41050, 41055, 41062, 41070, 41078, 41082, 41097, 41111, 41124, 41135, 41144, 41157, 41167, 41177, 41181, 41194, 41214, 41233, 41242, 41254, 41266, 41273, 41289, 41305, 41319, 41344, 41367, 41383, 41403, 41425,
		41445, 41470, 41495, 41508, 41517, 41527, 41532, 41541, 41551, 41559, 41568, 41577, 41589, 41598, 41610, 41626, 41637, 41646, 41669, 41692, 41706, 41720, 41731, 41740, 41751, 41761, 41772, 41782, 41786, 41791,
		41795, 41811, 41818, 41830, 41840, 41852, 41858, 41867, 41874, 41884, 41889, 41899, 41907, 41912, 41920, 41930, 41940, 41954, 41974, 41985, 41995, 42001, 42008, 42015, 42023, 42032, 42043, 42052, 42063, 42073,
		42080, 42088, 42095, 42110, 42127, 42142, 42150, 42155, 42171, 42177, 42188, 42193, 42205, 42219, 42227, 42238, 42244, 42258, 42263, 42271, 42283, 42296, 42310, 42319, 42329, 42341, 42349, 42360, 42372, 42381,
		42397, 42407, 42414, 42423, 42437, 42451, 42467, 42481, 42498, 42512, 42527, 42545, 42560, 42570, 42585, 42602, 42607, 42613, 42623, 42637, 42646, 42657, 42668, 42677, 42685, 42689, 42695, 42703, 42712, 42720,
		42736, 42745, 42750, 42757, 42761, 42781, 42791, 42800, 42809, 42819, 42826, 42834, 42843, 42851, 42860, 42868, 42876, 42884, 42893, 42901, 42910, 42913, 42924, 42936, 42944, 42956, 42969, 42985, 43002, 43012,
		43020, 43030, 43040, 43051, 43059, 43074, 43090, 43097, 43112, 43122, 43140, 43161, 43180, 43198, 43213, 43217, 43230, 43237, 43245, 43268, 43297, 43316, 43336, 43355, 43375, 43382, 43394, 43405, 43422, 43440,
		43454, 43466, 43476, 43487, 43500, 43510, 43522, 43530, 43541, 43548, 43557, 43579, 43602, 43619, 43636, 43654, 43668, 43691, 43706, 43723, 43738, 43754, 43768, 43783, 43799, 43826, 43842, 43856, 43871, 43887,
		43902, 43918, 43933, 43955, 43971, 43985, 43995, 44010, 44025, 44041, 44049, 44058, 44065, 44074, 44080, 44089, 44107, 44126, 44141, 44157, 44170, 44184, 44198, 44213, 44227, 44242, 44256, 44271, 44285, 44291,
		44303, 44314, 44329, 44343, 44358, 44372, 44379, 44385, 44396, 44403, 44410, 44417, 44425, 44436, 44441, 44449, 44460, 44474, 44482, 44491, 44495, 44500, 44507, 44516, 44520, 44524, 44533, 44543, 44553, 44562,
		44567, 44576, 44595, 44605, 44612, 44620, 44631, 44642, 44658, 44664, 44672, 44678, 44689, 44699, 44704, 44717, 44723, 44730, 44737, 44745, 44754, 44771, 44777, 44783, 44793, 44802, 44815, 44824, 44829, 44838,
		44848, 44855, 44860, 44869, 44874, 44882, 44887, 44899, 44915, 44930, 44951, 44955, 44962, 44967, 44972, 44978, 44985, 44993, 45000, 45007, 45018, 45028, 45036, 45042, 45050, 45057, 45072, 45088, 45103, 45119,
		45129, 45139, 45151, 45160, 45175, 45190, 45203, 45215, 45222, 45232, 45245, 45258, 45272, 45285, 45299, 45310, 45320, 45331, 45343, 45365, 45382, 45400, 45415, 45431, 45443, 45454, 45466, 45475, 45480, 45493,
		45497, 45502, 45510, 45515, 45522, 45530, 45539, 45549, 45555, 45563, 45573, 45585, 45598, 45603, 45611, 45621, 45629, 45638, 45649, 45661, 45674, 45687, 45699, 45710, 45722, 45733, 45744, 45754, 45766, 45776,
		45785, 45793, 45803, 45811, 45822, 45835, 45849, 45862, 45876, 45886, 45897, 45903, 45913, 45927, 45936, 45949, 45962, 45973, 45981, 45995, 46006, 46023, 46031, 46041, 46052, 46063, 46072, 46080, 46089, 46107,
		46118, 46129, 46141, 46148, 46156, 46170, 46177, 46185, 46200, 46206, 46215, 46226, 46234, 46245, 46254, 46260, 46267, 46276, 46286, 46294, 46309, 46317, 46333, 46349, 46366, 46382, 46396, 46410, 46431, 46453,
		46475, 46494, 46512, 46526, 46542, 46557, 46571, 46586, 46600, 46615, 46636, 46654, 46666, 46679, 46692, 46705, 46719, 46735, 46752, 46767, 46782, 46798, 46815, 46829, 46850, 46872, 46886, 46901, 46918, 46931,
		46945, 46955, 46971, 46981, 46997, 47008, 47016, 47023, 47031, 47039, 47047, 47057, 47068, 47076, 47084, 47096, 47107, 47118, 47129, 47140, 47152, 47165, 47179, 47192, 47202, 47207, 47217, 47231, 47241, 47249,
		47259, 47267, 47278, 47291, 47305, 47316, 47332, 47352, 47362, 47373, 47381, 47389, 47399, 47411, 47420, 47431, 47439, 47450, 47459, 47467, 47477, 47484, 47502, 47520, 47539, 47557, 47575, 47593, 47608, 47616,
		47622, 47631, 47641, 47652, 47661, 47670, 47682, 47696, 47705, 47713, 47723, 47734, 47745, 47754, 47764, 47775, 47782, 47792, 47803, 47809, 47817, 47826, 47836, 47847, 47856, 47864, 47877, 47890, 47904, 47911,
		47924, 47938, 47953, 47967, 47980, 47992, 48008, 48020, 48034, 48047, 48059, 48077, 48091, 48111, 48122, 48137, 48146, 48154, 48165, 48171, 48176, 48181, 48190, 48204, 48212, 48220, 48232, 48238, 48246, 48255,
		48264, 48275, 48284, 48295, 48304, 48315, 48321, 48329, 48334, 48342, 48346, 48356, 48368, 48382, 48395, 48408, 48416, 48420, 48424, 48431, 48441, 48448, 48454, 48465, 48475, 48483, 48489, 48496, 48507, 48519,
		48530, 48548, 48566, 48575, 48581, 48587, 48592, 48601, 48608, 48616, 48629, 48635, 48640, 48648, 48654, 48660, 48674, 48678, 48688, 48708, 48716, 48722, 48730, 48741, 48753, 48759, 48765, 48769, 48775, 48782,
		48801, 48808, 48813, 48821, 48825, 48833, 48842, 48848, 48855, 48860, 48867, 48879, 48890, 48895, 48902, 48907, 48914, 48923, 48933, 48937, 48946, 48958, 48974, 48979, 48987, 48996, 49012, 49025, 49034, 49041,
		49055, 49063, 49080, 49098, 49105, 49124, 49135, 49143, 49153, 49161, 49170, 49179, 49192, 49202, 49209, 49220, 49228, 49235, 49242, 49260, 49282, 49292, 49303, 49311, 49319, 49330, 49344, 49359, 49372, 49386,
		49395, 49406, 49416, 49423, 49432, 49439, 49449, 49456, 49465, 49477, 49483, 49498, 49506, 49520, 49535, 49543, 49552, 49560, 49567, 49581, 49609, 49615, 49622, 49629, 49643, 49652, 49661, 49667, 49674, 49680,
		49687, 49694, 49701, 49708, 49718, 49730, 49742, 49756, 49776, 49785, 49795, 49801, 49807, 49816, 49824, 49834, 49843, 49853, 49870, 49888, 49895, 49904, 49914, 49935, 49944, 49952, 49959, 49967, 49976, 49982,
		49991, 50000, 50005, 50013, 50020, 50030, 50038, 50047, 50054, 50064, 50072, 50082, 50093, 50105, 50117, 50122, 50130, 50139, 50147, 50154, 50172, 50181, 50193, 50205, 50217, 50226, 50236, 50246, 50254, 50260,
		50273, 50284, 50294, 50306, 50316, 50324, 50339, 50352, 50361, 50373, 50386, 50395, 50405, 50416, 50422, 50431, 50438, 50448, 50462, 50473, 50481, 50492, 50501, 50510, 50523, 50535, 50558, 50569, 50581, 50589,
		50599, 50611, 50625, 50636, 50645, 50656, 50668, 50680, 50693, 50705, 50713, 50720, 50730, 50739, 50750, 50757, 50766, 50772, 50794, 50813, 50821, 50828, 50838, 50845, 50853, 50860, 50868, 50876, 50890, 50905,
		50912, 50919, 50928, 50935, 50944, 50952, 50962, 50971, 50976, 50988, 50999, 51011, 51017, 51023, 51030, 51036, 51052, 51059, 51063, 51071, 51076, 51085, 51091, 51100, 51114, 51125, 51138, 51145, 51152, 51160,
		51166, 51175, 51179, 51189, 51197, 51205, 51212, 51218, 51225, 51230, 51236, 51255, 51264, 51269, 51279, 51288, 51293, 51310, 51319, 51329, 51334, 51343, 51353, 51363, 51377, 51391, 51399, 51408, 51415, 51423,
		51432, 51441, 51451, 51457, 51471, 51478, 51488, 51496, 51504, 51510, 51515, 51521, 51526, 51534, 51539, 51545, 51553, 51557, 51566, 51585, 51593, 51602, 51610, 51623, 51628, 51636, 51646, 51664, 51673, 51684,
		51695, 51705, 51716, 51723, 51729, 51736, 51749, 51763, 51778, 51794, 51809, 51825, 51839, 51854, 51869, 51881, 51894, 51910, 51915, 51924, 51931, 51943, 51949, 51955, 51962, 51971, 51980, 51988, 52001, 52005,
		52014, 52029, 52045, 52052, 52062, 52070, 52075, 52092, 52104, 52122, 52140, 52156, 52173, 52187, 52199, 52212, 52224, 52237, 52248, 52260, 52277, 52295, 52311, 52317, 52324, 52330, 52337, 52344, 52349, 52355,
		52371, 52377, 52384, 52388, 52395, 52399, 52420, 52425, 52431, 52440, 52445, 52454, 52459, 52467, 52476, 52482, 52489, 52495, 52502, 52511, 52518, 52531, 52545, 52556, 52563, 52571, 52578, 52588, 52600, 52616,
		52633, 52641, 52648, 52665, 52671, 52678, 52684, 52692, 52698, 52702, 52709, 52718, 52725, 52735, 52746, 52758, 52769, 52781, 52788, 52796, 52802, 52812, 52820, 52827, 52838, 52853, 52868, 52884, 52901, 52908,
		52922, 52943, 52963, 52974, 52986, 53000, 53014, 53027, 53037, 53046, 53060, 53077, 53093, 53112, 53132, 53155, 53171, 53190, 53198, 53212, 53228, 53240, 53248, 53255, 53269, 53278, 53287, 53304, 53320, 53337,
		53352, 53368, 53385, 53400, 53416, 53429, 53443, 53461, 53479, 53505, 53524, 53538, 53545, 53554, 53558, 53565, 53577, 53584, 53603, 53618, 53623, 53634, 53646, 53650, 53663, 53676, 53689, 53702, 53707, 53715,
		53719, 53733, 53749, 53761, 53777, 53789, 53801, 53813, 53823, 53836, 53847, 53862, 53870, 53879, 53884, 53898, 53914, 53920, 53928, 53934, 53940, 53950, 53957, 53971, 53983, 53989, 54001, 54014, 54033, 54054,
		54069, 54084, 54097, 54110, 54123, 54141, 54155, 54164, 54174, 54181, 54191, 54206, 54214, 54222, 54233, 54249, 54269, 54290, 54303, 54311, 54326, 54342, 54353, 54365, 54379, 54394, 54403, 54407, 54417, 54429,
		54437, 54444, 54460, 54474, 54482, 54498, 54510, 54521, 54530, 54545, 54561, 54565, 54570, 54576, 54586, 54595, 54602, 54621, 54631, 54638, 54650, 54660, 54666, 54672, 54679, 54693, 54708, 54719, 54735, 54742,
		54750, 54758, 54762, 54768, 54775, 54781, 54795, 54805, 54814, 54825, 54830, 54839, 54845, 54856, 54865, 54874, 54888, 54900, 54905, 54914, 54926, 54932, 54937, 54944, 54949, 54963, 54971, 54979, 54989, 54997,
		55006, 55026, 55045, 55062, 55080, 55100, 55105, 55122, 55140, 55149, 55159, 55170, 55191, 55203, 55213, 55224, 55233, 55242, 55255, 55264, 55277, 55282, 55287, 55295, 55300, 55308, 55319, 55330, 55344, 55357,
		55367, 55376, 55383, 55393, 55404, 55417, 55428, 55448, 55462, 55474, 55487, 55502, 55507, 55513, 55522, 55532, 55541, 55548, 55553, 55564, 55576, 55586, 55590, 55605, 55622, 55634, 55651, 55663, 55675, 55687,
		55697, 55708, 55726, 55733, 55740, 55747, 55758, 55768, 55782, 55789, 55797, 55802, 55810, 55815, 55828, 55833, 55841, 55850, 55859, 55864, 55873, 55878, 55894, 55912, 55921, 55927, 55934, 55941, 55947, 55962,
		55967, 55976, 55982, 55991, 56001, 56014, 56026, 56034, 56040, 56051, 56065, 56072, 56078, 56086, 56093, 56098, 56106, 56116, 56121, 56130, 56137, 56148, 56156, 56162, 56173, 56182, 56192, 56204, 56212, 56223,
		56227, 56236, 56244, 56256, 56266, 56280, 56285, 56294, 56303, 56312, 56322, 56328, 56339, 56349, 56360, 56374, 56387, 56401, 56407, 56417, 56426, 56435, 56441, 56455, 56458, 56470, 56480, 56490, 56498, 56515,
		56530, 56545, 56563, 56567, 56574, 56587, 56608, 56631, 56655, 56663, 56672, 56677, 56687, 56696, 56708, 56722, 56739, 56751, 56768, 56776, 56787, 56800, 56816, 56835, 56846, 56862, 56885, 56908, 56933, 56937,
		56942, 56948, 56953, 56959, 56966, 56978, 56992, 57000, 57015, 57024, 57031, 57037, 57052, 57058, 57069, 57076, 57082, 57088, 57094, 57102, 57116, 57131, 57144, 57158, 57167, 57177, 57184, 57190, 57199, 57206,
		57216, 57224, 57236, 57249, 57253, 57260, 57270, 57278, 57282, 57286, 57290, 57298, 57307, 57312, 57317, 57326, 57334, 57343, 57349, 57360, 57374, 57380, 57391, 57398, 57406, 57413, 57419, 57428, 57435, 57444,
		57453, 57463, 57473, 57483, 57489, 57495, 57508, 57517, 57524, 57532, 57539, 57548, 57554, 57563, 57569, 57580, 57591, 57598, 57609, 57616, 57626, 57640, 57653, 57659, 57668, 57682, 57693, 57704, 57715, 57726,
		57735, 57741, 57747, 57761, 57767, 57775, 57782, 57788, 57795, 57800, 57817, 57831, 57850, 57861, 57876, 57891, 57904, 57916, 57929, 57940, 57948, 57957, 57963, 57971, 57977, 57984, 57991, 57999, 58007, 58013,
		58022, 58028, 58037, 58046, 58056, 58065, 58076, 58085, 58092, 58102, 58117, 58126, 58133, 58141, 58148, 58158, 58166, 58175, 58184, 58191, 58194, 58199, 58208, 58231, 58238, 58246, 58258, 58271, 58282, 58289,
		58300, 58313, 58326, 58336, 58346, 58353, 58363, 58375, 58381, 58396, 58412, 58425, 58439, 58446, 58456, 58466, 58474, 58478, 58489, 58498, 58507, 58519, 58532, 58543, 58555, 58565, 58580, 58591, 58600, 58612,
		58631, 58645, 58661, 58669, 58679, 58690, 58698, 58707, 58717, 58725, 58733, 58754, 58761, 58771, 58780, 58790, 58794, 58802, 58812, 58823, 58828, 58837, 58845, 58855, 58862, 58873, 58883, 58899, 58912, 58926,
		58936, 58947, 58952, 58964, 58978, 58990, 59004, 59012, 59023, 59036, 59047, 59060, 59070, 59079, 59086, 59100, 59107, 59117, 59138, 59158, 59173, 59189, 59205, 59219, 59234, 59250, 59268, 59281, 59295, 59303,
		59312, 59318, 59325, 59332, 59342, 59347, 59363, 59373, 59383, 59391, 59404, 59421, 59430, 59440, 59449, 59460, 59467, 59479, 59490, 59502, 59507, 59519, 59534, 59538, 59542, 59552, 59564, 59571, 59582, 59594,
		59605, 59617, 59623, 59642, 59661, 59681, 59689, 59698, 59703, 59711, 59721, 59731, 59741, 59752, 59765, 59774, 59784, 59790, 59795, 59803, 59808, 59817, 59827, 59833, 59839, 59848, 59859, 59869, 59878, 59890,
		59895, 59903, 59917, 59928, 59939, 59950, 59958, 59968, 59977, 59987, 59994, 60002, 60009, 60017, 60034, 60041, 60052, 60067, 60077, 60089, 60108, 60119, 60133, 60148, 60158, 60170, 60180, 60190, 60207, 60225,
		60236, 60246, 60258, 60262, 60267, 60277, 60287, 60300, 60316, 60322, 60326, 60331, 60339, 60353, 60361, 60365, 60370, 60378, 60399, 60410, 60420, 60440, 60450, 60454, 60467, 60477, 60490, 60507, 60516, 60526,
		60537, 60553, 60570, 60582, 60595, 60607, 60619, 60628, 60642, 60657, 60670, 60683, 60691, 60700, 60710, 60718, 60731, 60744, 60762, 60784, 60794, 60808, 60817, 60835, 60844, 60854, 60866, 60876, 60889, 60901,
		60917, 60934, 60945, 60954, 60967, 60981, 60990, 61004, 61019, 61040, 61050, 61060, 61068, 61076, 61082, 61088, 61093, 61098, 61108, 61131, 61147, 61155, 61164, 61173, 61184, 61190, 61195, 61219, 61232, 61249,
		61271, 61285, 61293, 61301, 61318, 61330, 61335, 61346, 61356, 61369, 61375, 61382, 61392, 61399, 61407, 61416, 61428, 61438, 61445, 61453, 61462, 61473, 61481, 61493, 61507, 61513, 61524, 61534, 61544, 61553,
		61565, 61573, 61580, 61588, 61595, 61602, 61607, 61617, 61628, 61640, 61652, 61664, 61672, 61685, 61696, 61706, 61717, 61731, 61742, 61749, 61754, 61759, 61765, 61769, 61772, 61788, 61799, 61819, 61827, 61847,
		61857, 61865, 61871, 61881, 61891, 61899, 61906, 61915, 61923, 61942, 61953, 61959, 61968, 61976, 61985, 61991, 62005, 62011, 62018, 62023, 62035, 62039, 62046, 62051, 62057, 62062, 62068, 62077, 62085, 62096,
		62104, 62112, 62122, 62132, 62144, 62157, 62165, 62174, 62185, 62190, 62197, 62208, 62213, 62219, 62227, 62236, 62247, 62254, 62261, 62267, 62278, 62287, 62301, 62308, 62321, 62335, 62343, 62355, 62370, 62376,
		62390, 62405, 62413, 62422, 62431, 62445, 62452, 62462, 62468, 62480, 62489, 62501, 62514, 62526, 62535, 62546, 62552, 62560, 62566, 62573, 62582, 62588, 62595, 62601, 62610, 62616, 62624, 62635, 62646, 62654,
		62661, 62674, 62688, 62696, 62704, 62710, 62714, 62721, 62739, 62762, 62765, 62771, 62779, 62785, 62790, 62794, 62801, 62808, 62818, 62822, 62827, 62835, 62841, 62846, 62855, 62863, 62874, 62882, 62894, 62898,
		62904, 62913, 62923, 62931, 62940, 62946, 62951, 62957, 62963, 62972, 62980, 62984, 62995, 63012, 63028, 63037, 63042, 63048, 63054, 63061, 63066, 63072, 63084, 63097, 63110, 63124, 63128, 63135, 63143, 63150,
		63160, 63170, 63184, 63199, 63210, 63227, 63233, 63241, 63248, 63252, 63268, 63287, 63300, 63314, 63328, 63343, 63357, 63370, 63387, 63398, 63411, 63422, 63435, 63452, 63470, 63481, 63493, 63503, 63514, 63533,
		63539, 63548, 63556, 63565, 63575, 63588, 63601, 63615, 63632, 63637, 63650, 63661, 63677, 63693, 63700, 63710, 63729, 63738, 63748, 63758, 63768, 63775, 63784, 63794, 63806, 63819, 63830, 63843, 63861, 63882,
		63894, 63901, 63908, 63918, 63926, 63936, 63951, 63963, 63966, 63973, 63993, 64014, 64021, 64031, 64041, 64052, 64078, 64105, 64108, 64114, 64118, 64128, 64138, 64156, 64160, 64176, 64192, 64207, 64224, 64238,
		64243, 64251, 64262, 64268, 64273, 64279, 64288, 64305, 64316, 64324, 64334, 64345, 64356, 64365, 64371, 64378, 64386, 64395, 64404, 64414, 64426, 64436, 64446, 64458, 64465, 64471, 64478, 64483, 64489, 64496,
		64506, 64523, 64529, 64537, 64551, 64560, 64568, 64582, 64591, 64603, 64616, 64629, 64647, 64654, 64661, 64672, 64680, 64688, 64712, 64722, 64730, 64734, 64742, 64750, 64757, 64765, 64776, 64788, 64793, 64801,
		64810, 64820, 64829, 64837, 64846, 64854, 64862, 64872, 64880, 64887, 64895, 64901, 64915, 64923, 64928, 64940, 64946, 64954, 64963, 64971, 64980, 64986, 64997, 65004, 65017, 65027, 65038, 65043, 65050, 65058,
		65069, 65077, 65086, 65097, 65104, 65112, 65120, 65133, 65137, 65142, 65151, 65157, 65171, 65181, 65187, 65194, 65200, 65215, 65221, 65231, 65234, 65238, 65242, 65256, 65278, 65289, 65294, 65311, 65317, 65323,
		65330, 65338, 65351, 65358, 65369, 65377, 65382, 65390, 65395, 65407, 65413, 65428, 65438, 65449, 65458, 65468, 65473, 65481, 65496, 65512, 65521, 65527, 65531, 65544, 65552, 65565, 65578, 65594, 65606, 65612,
		65621, 65631, 65642, 65646, 65651, 65654, 65666, 65680, 65687, 65694, 65701, 65709, 65716, 65728, 65738, 65749, 65756, 65764, 65772, 65781, 65791, 65799, 65815, 65824, 65829, 65838, 65846, 65852, 65859, 65867,
		65874, 65882, 65887, 65900, 65904, 65909, 65920, 65925, 65933, 65944, 65959, 65968, 65983, 65992, 66008, 66021, 66029, 66039, 66052, 66072, 66093, 66106, 66114, 66125, 66140, 66163, 66176, 66192, 66204, 66218,
		66230, 66244, 66253, 66263, 66272, 66278, 66287, 66292, 66301, 66311, 66318, 66335, 66348, 66363, 66378, 66387, 66393, 66402, 66413, 66428, 66444, 66460, 66472, 66480, 66486, 66502, 66519, 66533, 66548, 66561,
		66582, 66604, 66618, 66635, 66647, 66660, 66675, 66687, 66695, 66710, 66724, 66745, 66751, 66763, 66779, 66789, 66796, 66800, 66807, 66819, 66828, 66843, 66858, 66867, 66874, 66889, 66905, 66924, 66940, 66947,
		66955, 66970, 66986, 66994, 67000, 67014, 67025, 67029, 67037, 67045, 67052, 67060, 67066, 67070, 67081, 67086, 67091, 67105, 67120, 67125, 67135, 67140, 67146, 67151, 67160, 67166, 67173, 67184, 67192, 67204,
		67220, 67228, 67233, 67246, 67254, 67272, 67284, 67292, 67319, 67337, 67355, 67372, 67388, 67405, 67428, 67451, 67463, 67487, 67506, 67531, 67549, 67565, 67580, 67603, 67618, 67643, 67657, 67680, 67696, 67711,
		67727, 67746, 67762, 67774, 67786, 67798, 67809, 67825, 67843, 67860, 67879, 67895, 67911, 67936, 67960, 67986, 68009, 68025, 68041, 68056, 68072, 68083, 68099, 68117, 68136, 68151, 68166, 68182, 68200, 68218,
		68237, 68258, 68272, 68291, 68308, 68324, 68340, 68352, 68366, 68379, 68399, 68420, 68439, 68445, 68452, 68460, 68466, 68472, 68481, 68490, 68496, 68511, 68524, 68529, 68535, 68540, 68552, 68561, 68568, 68591,
		68606, 68623, 68631, 68646, 68655, 68665, 68679, 68703, 68715, 68724, 68729, 68735, 68745, 68751, 68757, 68766, 68776, 68782, 68789, 68795, 68807, 68818, 68832, 68842, 68850, 68861, 68877, 68894, 68900, 68906,
		68912, 68923, 68925, 68938, 68944, 68951, 68959, 68965, 68978, 68982, 68990, 69009, 69028, 69040, 69053, 69068, 69081, 69101, 69120, 69143, 69163, 69172, 69184, 69193, 69208, 69221, 69237, 69246, 69254, 69263,
		69278, 69298, 69312, 69324, 69331, 69342, 69359, 69365, 69370, 69382, 69396, 69409, 69425, 69446, 69466, 69486, 69503, 69520, 69543, 69552, 69564, 69581, 69592, 69604, 69613, 69621, 69630, 69636, 69646, 69652,
		69657, 69661, 69668, 69676, 69683, 69698, 69715, 69723, 69730, 69749, 69763,
	},
	from: []uint32{
		0, 1, 3, 5, 6, 7, 9, 10, 12, 15, 18, 20, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 33, 34, 35, 36, 37, 38, 39, 40,
		41, 42, 43, 44, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71,
		72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 83, 84, 86, 89, 90, 91, 95, 96, 97, 98, 99, 105, 106, 107, 108, 109, 110, 111, 117, 123,
		125, 127, 132, 137, 138, 139, 140, 148, 149, 150, 151, 152, 154, 155, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 170, 171, 173, 175, 176, 177,
		178, 180, 181, 182, 183, 184, 185, 186, 187, 189, 190, 191, 194, 195, 196, 197, 199, 200, 201, 202, 209, 211, 212, 213, 214, 215, 216, 217, 218, 224,
		225, 226, 227, 228, 229, 230, 231, 233, 235, 237, 238, 239, 240, 241, 242, 243, 244, 246, 247, 248, 250, 251, 252, 254, 255, 256, 257, 259, 260, 261,
		262, 263, 265, 268, 269, 270, 271, 272, 273, 274, 275, 276, 277, 278, 280, 281, 282, 283, 288, 289, 290, 294, 296, 298, 302, 303, 304, 305, 307, 308,
		309, 310, 311, 312, 313, 314, 315, 316, 317, 320, 325, 326, 327, 328, 329, 330, 331, 333, 335, 336, 337, 339, 341, 342, 343, 344, 345, 346, 348, 350,
		351, 353, 354, 355, 356, 357, 358, 359, 360, 361, 362, 364, 367, 368, 369, 370, 371, 372, 373, 374, 375, 377, 379, 381, 382, 384, 385, 386, 387, 388,
		391, 392, 395, 396, 397, 398, 400, 401, 402, 404, 405, 407, 409, 410, 411, 415, 416, 417, 418, 419, 420, 421, 422, 423, 428, 429, 430, 431, 432, 434,
		435, 436, 437, 438, 439, 440, 441, 446, 453, 454, 455, 456, 457, 458, 459, 460, 461, 464, 466, 467, 468, 469, 470, 471, 472, 473, 475, 477, 482, 485,
		486, 488, 489, 490, 492, 493, 494, 496, 497, 498, 500, 501, 502, 503, 504, 505, 506, 507, 510, 511, 512, 513, 514, 515, 516, 517, 521, 522, 523, 526,
		527, 528, 529, 530, 531, 532, 533, 534, 535, 536, 537, 538, 539, 540, 541, 542, 543, 544, 546, 547, 548, 549, 550, 551, 552, 553, 556, 557, 558, 559,
		560, 561, 562, 563, 565, 567, 569, 570, 571, 572, 573, 574, 581, 582, 586, 589, 590, 591, 592, 593, 595, 596, 599, 601, 603, 605, 606, 609, 610, 613,
		614, 615, 616, 617, 618, 619, 620, 623, 627, 628, 631, 632, 633, 635, 637, 638, 639, 640, 641, 644, 647, 648, 649, 650, 651, 653, 654, 655, 657, 659,
		661, 662, 663, 664, 665, 666, 667, 669, 672, 674, 675, 676, 678, 680, 681, 682, 683, 684, 685, 686, 687, 689, 691, 693, 694, 695, 696, 697, 701, 702,
		703, 710, 714, 719, 722, 723, 725, 726, 730, 731, 736, 739, 740, 744, 749, 750, 751, 752, 756, 757, 761, 767, 768, 770, 772, 773, 774, 775, 777, 778,
		779, 780, 782, 783, 784, 785, 786, 787, 788, 789, 790, 791, 792, 793, 794, 796, 798, 799, 800, 801, 802, 803, 808, 812, 813, 814, 815, 816, 818, 819,
		820, 821, 822, 823, 824, 825, 826, 827, 828, 829, 830, 831, 832, 833, 834, 835, 836, 837, 838, 839, 840, 841, 842, 844, 845, 846, 847, 848, 850, 851,
		852, 853, 854, 855, 856, 857, 858, 859, 860, 861, 863, 864, 865, 866, 867, 868, 869, 870, 871, 873, 874, 875, 876, 877, 878, 879, 880, 881, 882, 885,
		886, 887, 888, 889, 890, 892, 893, 894, 895, 896, 897, 898, 900, 901, 902, 903, 904, 905, 906, 907, 909, 911, 912, 914, 915, 916, 917, 918, 922, 924,
		926, 927, 928, 929, 930, 931, 932, 935, 936, 938, 940, 941, 942, 943, 945, 947, 948, 949, 950, 952, 955, 956, 957, 958, 959, 960, 961, 965, 966, 967,
		970, 971, 973, 974, 975, 979, 980, 984, 986, 987, 988, 989, 997, 998, 999, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1012, 1013, 1015, 1016, 1017, 1018,
		1019, 1020, 1021, 1022, 1023, 1024, 1027, 1028, 1031, 1034, 1035, 1038, 1039, 1040, 1041, 1042, 1044, 1045, 1046, 1047, 1048, 1050, 1052, 1053, 1055, 1058, 1059, 1061, 1062, 1063,
		1066, 1069, 1070, 1071, 1072, 1074, 1080, 1081, 1087, 1093, 1098, 1099, 1100, 1101, 1102, 1104, 1107, 1109, 1111, 1112, 1115, 1116, 1117, 1118, 1119, 1121, 1122, 1123, 1124, 1125,
		1126, 1127, 1128, 1129, 1130, 1131, 1135, 1136, 1138, 1141, 1142, 1146, 1148, 1150, 1151, 1152, 1153, 1154, 1156, 1157, 1158, 1159, 1160, 1161, 1162, 1163, 1166, 1171, 1176, 1177,
		1178, 1179, 1180, 1181, 1183, 1186, 1188, 1189, 1190, 1192, 1193, 1194, 1196, 1197, 1200, 1202, 1203, 1204, 1208, 1209, 1210, 1211, 1213, 1214, 1215, 1216, 1217, 1218, 1220, 1221,
		1223, 1225, 1228, 1229, 1231, 1232, 1233, 1234, 1235, 1236, 1237, 1238, 1239, 1241, 1242, 1243, 1245, 1246, 1247, 1248, 1249, 1252, 1253, 1254, 1255, 1257, 1258, 1259, 1260, 1261,
		1263, 1265, 1266, 1267, 1270, 1271, 1272, 1273, 1274, 1277, 1278, 1279, 1281, 1282, 1285, 1286, 1287, 1288, 1295, 1297, 1299, 1305, 1306, 1310, 1312, 1313, 1314, 1315, 1316, 1319,
		1326, 1331, 1333, 1337, 1345, 1346, 1347, 1354, 1355, 1356, 1357, 1358, 1360, 1362, 1363, 1364, 1365, 1366, 1367, 1368, 1369, 1370, 1371, 1372, 1373, 1374, 1378, 1379, 1380, 1381,
		1382, 1383, 1384, 1385, 1386, 1388, 1390, 1391, 1392, 1393, 1394, 1395, 1396, 1397, 1398, 1399, 1400, 1404, 1407, 1412, 1413, 1415, 1417, 1418, 1419, 1420, 1421, 1422, 1423, 1424,
		1425, 1426, 1428, 1429, 1430, 1431, 1432, 1434, 1438, 1439, 1440, 1441, 1442, 1443, 1444, 1445, 1446, 1449, 1450, 1451, 1452, 1456, 1457, 1458, 1459, 1460, 1461, 1463, 1465, 1466,
		1468, 1472, 1477, 1478, 1483, 1484, 1485, 1486, 1487, 1488, 1489, 1490, 1498, 1499, 1507, 1514, 1515, 1516, 1517, 1518, 1519, 1520, 1521, 1522, 1523, 1525, 1526, 1527, 1529, 1530,
		1532, 1533, 1534, 1535, 1536, 1537, 1538, 1539, 1541, 1546, 1547, 1548, 1551, 1555, 1556, 1557, 1558, 1561, 1565, 1566, 1567, 1568, 1569, 1570, 1571, 1574, 1575, 1576, 1578, 1580,
		1581, 1582, 1583, 1584, 1585, 1586, 1587, 1588, 1592, 1593, 1594, 1595, 1596, 1597, 1598, 1599, 1600, 1601, 1602, 1603, 1604, 1607, 1609, 1611, 1612, 1613, 1614, 1615, 1616, 1617,
		1618, 1619, 1620, 1623, 1624, 1625, 1627, 1628, 1629, 1630, 1633, 1634, 1635, 1636, 1637, 1638, 1639, 1640, 1642, 1645, 1647, 1649, 1650, 1651, 1653, 1654, 1655, 1656, 1657, 1658,
		1659, 1660, 1661, 1662, 1666, 1667, 1668, 1670, 1675, 1676, 1677, 1678, 1679, 1680, 1681, 1682, 1685, 1688, 1689, 1691, 1692, 1694, 1695, 1697, 1698, 1701, 1702, 1705, 1706, 1707,
		1708, 1709, 1723, 1727, 1728, 1729, 1730, 1731, 1732, 1733, 1734, 1735, 1737, 1738, 1739, 1740, 1741, 1744, 1745, 1746, 1748, 1749, 1750, 1751, 1752, 1753, 1754, 1755, 1757, 1758,
		1759, 1761, 1763, 1764, 1772, 1780, 1781, 1789, 1790, 1791, 1792, 1797, 1799, 1801, 1804, 1806, 1808, 1809, 1810, 1811, 1812, 1814, 1819, 1820, 1821, 1822, 1823, 1824, 1833, 1834,
		1837, 1838, 1839, 1840, 1843, 1844, 1849, 1850, 1851, 1852, 1853, 1854, 1855, 1856, 1857, 1862, 1863, 1864, 1865, 1866, 1868, 1869, 1870, 1871, 1873, 1874, 1876, 1877, 1878, 1879,
		1880, 1881, 1882, 1883, 1889, 1890, 1891, 1892, 1893, 1894, 1895, 1896, 1903, 1904, 1905, 1906, 1907, 1908, 1909, 1910, 1911, 1919, 1921, 1922, 1924, 1925, 1926, 1927, 1928, 1930,
		1931, 1932, 1933, 1934, 1935, 1936, 1937, 1938, 1939, 1940, 1941, 1942, 1943, 1945, 1946, 1947, 1948, 1950, 1951, 1952, 1954, 1960, 1961, 1962, 1964, 1965, 1973, 1974, 1975, 1976,
		1980, 1983, 1987, 1988, 1990, 1993, 1994, 1995, 1996, 1997, 1999, 2002, 2003, 2004, 2005, 2006, 2007, 2008, 2009, 2010, 2011, 2012, 2013, 2014, 2018, 2020, 2023, 2024, 2025, 2026,
		2027, 2028, 2029, 2030, 2031, 2032, 2033, 2034, 2035, 2036, 2037, 2038, 2040, 2041, 2042, 2043, 2044, 2045, 2046, 2047, 2048, 2049, 2051, 2052, 2054, 2056, 2057, 2062, 2064, 2066,
		2067, 2069, 2071, 2072, 2074, 2075, 2076, 2077, 2078, 2080, 2082, 2083, 2084, 2085, 2087, 2089, 2090, 2096, 2097, 2099, 2100, 2101, 2102, 2103, 2104, 2105, 2106, 2108, 2109, 2110,
		2111, 2112, 2116, 2117, 2118, 2121, 2122, 2123, 2124, 2125, 2126, 2127, 2128, 2130, 2132, 2133, 2134, 2135, 2136, 2137, 2138, 2139, 2140, 2142, 2143, 2144, 2145, 2148, 2149, 2150,
		2151, 2152, 2154, 2156, 2159, 2160, 2161, 2162, 2163, 2164, 2166, 2168, 2170, 2176, 2178, 2181, 2182, 2183, 2186, 2187, 2188, 2189, 2190, 2193, 2194, 2196, 2197, 2199, 2200, 2202,
		2204, 2205, 2211, 2212, 2218, 2219, 2220, 2222, 2223, 2224, 2225, 2226, 2227, 2229, 2231, 2236, 2237, 2238, 2239, 2240, 2241, 2242, 2243, 2244, 2245, 2246, 2247, 2248, 2254, 2257,
		2260, 2261, 2262, 2265, 2269, 2270, 2275, 2277, 2278, 2279, 2280, 2281, 2282, 2283, 2284, 2285, 2286, 2291, 2297, 2300, 2304, 2305, 2306, 2307, 2310, 2314, 2315, 2320, 2324, 2326,
		2329, 2330, 2331, 2332, 2333, 2335, 2336, 2337, 2338, 2340, 2341, 2342, 2343, 2344, 2345, 2346, 2351, 2352, 2353, 2355, 2357, 2358, 2359, 2360, 2361, 2363, 2367, 2370, 2371, 2372,
		2373, 2374, 2376, 2382, 2383, 2384, 2385, 2386, 2391, 2392, 2393, 2394, 2396, 2397, 2398, 2399, 2400, 2401, 2402, 2403, 2404, 2405, 2406, 2407, 2408, 2409, 2410, 2411, 2412, 2414,
		2416, 2417, 2419, 2421, 2422, 2423, 2424, 2425, 2428, 2430, 2431, 2432, 2436, 2437, 2443, 2444, 2445, 2446, 2447, 2448, 2449, 2451, 2452, 2453, 2454, 2455, 2456, 2457, 2461, 2462,
		2463, 2465, 2466, 2467, 2468, 2469, 2470, 2471, 2472, 2473, 2474, 2475, 2476, 2477, 2478, 2479, 2480, 2481, 2482, 2483, 2484, 2493, 2496, 2497, 2498, 2499, 2501, 2503, 2504, 2506,
		2508, 2510, 2512, 2513, 2514, 2515, 2516, 2517, 2522, 2523, 2524, 2525, 2526, 2527, 2528, 2536, 2538, 2540, 2545, 2546, 2547, 2548, 2549, 2550, 2552, 2557, 2558, 2559, 2561, 2562,
		2563, 2564, 2565, 2566, 2567, 2568, 2569, 2570, 2571, 2583, 2587, 2588, 2589, 2590, 2591, 2592, 2593, 2597, 2598, 2599, 2600, 2602, 2603, 2604, 2605, 2606, 2608, 2612, 2613, 2614,
		2615, 2617, 2618, 2620, 2623, 2624, 2625, 2626, 2627, 2628, 2629, 2631, 2633, 2634, 2635, 2637, 2638, 2639, 2640, 2641, 2642, 2643, 2644, 2645, 2646, 2647, 2648, 2649, 2650, 2651,
		2652, 2653, 2654, 2662, 2663, 2664, 2665, 2666, 2672, 2673, 2674, 2675, 2676, 2677, 2678, 2679, 2680, 2683, 2684, 2685, 2692, 2693, 2695, 2696, 2705, 2706, 2707, 2708, 2709, 2710,
		2711, 2712, 2713, 2714, 2715, 2716, 2720, 2723, 2724, 2728, 2732, 2733, 2734, 2735, 2737, 2738, 2740, 2741, 2743, 2744, 2745, 2746, 2748, 2749, 2750, 2751, 2752, 2753, 2754, 2755,
		2756, 2758, 2759, 2760, 2761, 2762, 2763, 2764, 2765, 2768, 2769, 2770, 2774, 2775, 2776, 2778, 2780, 2781, 2782, 2783, 2784, 2785, 2786, 2787, 2788, 2789, 2793, 2796, 2797, 2798,
		2799, 2800, 2801, 2802, 2803, 2804, 2805, 2806, 2807, 2808, 2810, 2812, 2813, 2814, 2815, 2816, 2817, 2821, 2825, 2827, 2828, 2829, 2830, 2831, 2832, 2833, 2834, 2835, 2837, 2839,
		2840, 2841, 2845, 2846, 2847, 2848, 2852, 2853, 2854, 2858, 2859, 2860, 2866, 2867, 2870, 2872, 2873, 2874, 2876, 2878, 2879, 2880, 2881, 2883, 2884, 2885, 2886, 2887, 2888, 2889,
		2897, 2898, 2900, 2902, 2903, 2904, 2905, 2906, 2910, 2914, 2919, 2920, 2921, 2922, 2923, 2924, 2926, 2930, 2934, 2937, 2939, 2941, 2944, 2946, 2948, 2949, 2950, 2951, 2952, 2966,
		2967, 2970, 2972, 2975, 2976, 2977, 2978, 2979, 2980, 2981, 2982, 2985, 2986, 2988, 2989, 2990, 2991, 2992, 2993, 2994, 2995, 2996, 2997, 2998, 2999, 3000, 3002, 3004, 3005, 3013,
		3017, 3018, 3019, 3020, 3021, 3022, 3023, 3024, 3025, 3026, 3029, 3030, 3031, 3032, 3033, 3034, 3035, 3036, 3037, 3038, 3039, 3040, 3042, 3043, 3044, 3045, 3050, 3051, 3052, 3053,
		3054, 3055, 3057, 3058, 3059, 3061, 3063, 3064, 3065, 3066, 3067, 3068, 3069, 3070, 3071, 3072, 3073, 3074, 3075, 3076, 3077, 3078, 3079, 3080, 3086, 3087, 3088, 3089, 3090, 3091,
		3092, 3094, 3096, 3097, 3099, 3101, 3105, 3106, 3107, 3108, 3109, 3110, 3111, 3116, 3118, 3119, 3120, 3121, 3123, 3124, 3125, 3129, 3130, 3131, 3132, 3133, 3134, 3135, 3144, 3145,
		3152, 3153, 3154, 3156, 3157, 3158, 3160, 3161, 3162, 3163, 3164, 3165, 3166, 3167, 3168, 3169, 3170, 3171, 3174, 3175, 3176, 3177, 3178, 3179, 3180, 3183, 3184, 3185, 3186, 3187,
		3188, 3189, 3190, 3192, 3193, 3196, 3197, 3198, 3201, 3202, 3204, 3205, 3209, 3211, 3212, 3213, 3219, 3220, 3221, 3222, 3223, 3224, 3226, 3227, 3228, 3229, 3230, 3231, 3232, 3233,
		3235, 3237, 3238, 3239, 3240, 3243, 3244, 3245, 3246, 3248, 3254, 3255, 3256, 3257, 3259, 3260, 3261, 3262, 3263, 3268, 3269, 3270, 3271, 3272, 3274, 3276, 3278, 3279, 3280, 3283,
		3285, 3286, 3287, 3290, 3292, 3293, 3294, 3302, 3305, 3306, 3307, 3309, 3310, 3311, 3312, 3313, 3315, 3316, 3317, 3318, 3319, 3320, 3321, 3323, 3324, 3325, 3326, 3328, 3329, 3331,
		3332, 3333, 3334, 3335, 3336, 3337, 3338, 3340, 3341, 3342, 3343, 3344, 3345, 3346, 3347, 3349, 3351, 3352, 3353, 3355, 3356, 3357, 3358, 3359, 3360, 3361, 3362, 3363, 3364, 3365,
		3366, 3367, 3368, 3370, 3371, 3372, 3373, 3374, 3376, 3378, 3379, 3380, 3384, 3385, 3387, 3388, 3390, 3391, 3392, 3393, 3394, 3395, 3396, 3397, 3398, 3400, 3401, 3402, 3404, 3405,
		3406, 3419, 3422, 3423, 3424, 3425, 3426, 3427, 3430, 3431, 3432, 3433, 3434, 3435, 3436, 3439, 3440, 3442, 3448, 3449, 3452, 3453, 3454, 3456, 3458, 3459, 3462, 3463, 3464, 3466,
		3467, 3468, 3470, 3472, 3474, 3475, 3478, 3482, 3483, 3485, 3486, 3487, 3488, 3498, 3499, 3501, 3502, 3503, 3506, 3507, 3509, 3510, 3511, 3512, 3518, 3520, 3522, 3524, 3525, 3526,
		3532, 3533, 3535, 3536, 3537, 3538, 3539, 3540, 3541, 3542, 3543, 3545, 3546, 3547, 3548, 3549, 3550, 3551, 3552, 3553, 3554, 3556, 3557, 3558, 3559, 3560, 3561, 3562, 3563, 3564,
		3565, 3566, 3567, 3568, 3569, 3573, 3574, 3575, 3576, 3578, 3579, 3580, 3581, 3582, 3583, 3584, 3586, 3588, 3589, 3590, 3591, 3592, 3594, 3596, 3599, 3602, 3603, 3604, 3605, 3606,
		3607, 3608, 3609, 3610, 3611, 3612, 3615, 3622, 3625, 3627, 3628, 3629, 3634, 3642, 3643, 3644, 3646, 3647, 3648, 3649, 3651, 3652, 3653, 3658, 3659, 3660, 3663, 3664, 3665, 3666,
		3667, 3668, 3670, 3671, 3675, 3676, 3677, 3680, 3681, 3682, 3683, 3684, 3685, 3686, 3687, 3688, 3689, 3690, 3691, 3692, 3693, 3694, 3695, 3696, 3697, 3698, 3699, 3700, 3701, 3702,
		3703, 3704, 3705, 3707, 3708, 3709, 3710, 3714, 3716, 3722, 3723, 3724, 3725, 3726, 3727, 3728, 3731, 3732, 3733, 3734, 3735, 3736, 3737, 3738, 3744, 3745, 3746, 3747, 3748, 3749,
		3751, 3752, 3753, 3756, 3757, 3760, 3761, 3764, 3765, 3768, 3769, 3770, 3771, 3772, 3775, 3778, 3779, 3780, 3781, 3782, 3783, 3784, 3785, 3786, 3787, 3788, 3789, 3790, 3791, 3792,
		3793, 3794, 3795, 3801, 3803, 3805, 3806, 3807, 3808, 3809, 3810, 3811, 3812, 3814, 3815, 3816, 3821, 3822, 3823, 3827, 3828, 3829, 3830, 3834, 3839, 3845, 3847, 3849, 3850, 3851,
		3856, 3857, 3858, 3862, 3864, 3865, 3866, 3867, 3868, 3869, 3871, 3872, 3873, 3875, 3876, 3877, 3878, 3879, 3880, 3881, 3884, 3889, 3891, 3893, 3894, 3895, 3896, 3897, 3898, 3899,
		3900, 3901, 3902, 3905, 3906, 3907, 3908, 3909, 3910, 3911, 3912, 3914, 3916, 3917, 3918, 3921, 3926, 3929, 3930, 3931, 3932, 3935, 3936, 3937, 3938, 3939, 3940, 3941, 3942, 3943,
		3944, 3946, 3948, 3949, 3951, 3952, 3953, 3954, 3955, 3960, 3961, 3964, 3965, 3966, 3967, 3973, 3975, 3977, 3978, 3979, 3984, 3986, 3989, 3992, 3993, 3994, 3995, 3996, 3997, 3998,
		3999, 4000, 4001, 4002, 4003, 4004, 4005, 4006, 4007, 4009, 4010, 4012, 4013, 4014, 4016, 4017, 4018, 4019, 4021, 4022, 4023, 4024, 4025, 4026, 4027, 4028, 4029, 4030, 4032, 4033,
		4034, 4035, 4036, 4037, 4038, 4039, 4040, 4041, 4042, 4043, 4044, 4045, 4046, 4047, 4048, 4049, 4050, 4051, 4052, 4053, 4054, 4055, 4056, 4057, 4058, 4059, 4061, 4062, 4063, 4065,
		4067, 4068, 4069, 4070, 4071, 4073, 4076, 4077, 4078, 4079, 4080, 4081, 4083, 4085, 4087, 4088, 4089, 4090, 4091, 4092, 4093, 4094, 4095, 4096, 4097, 4101, 4102, 4103, 4104, 4105,
		4106, 4107, 4108, 4109, 4110, 4112, 4113, 4115, 4116, 4117, 4119, 4121, 4123, 4124, 4127, 4128, 4129, 4130, 4131, 4132, 4133, 4136, 4138, 4139, 4142, 4143, 4145, 4146, 4147, 4148,
		4149, 4150, 4151, 4152, 4158, 4161, 4162, 4163, 4164, 4165, 4166, 4167, 4168, 4169, 4170, 4171, 4173, 4175, 4176, 4177, 4187, 4190, 4191, 4192, 4196, 4198, 4199, 4200, 4201, 4202,
		4206, 4207, 4208, 4209, 4210, 4211, 4212, 4213, 4214, 4215, 4216, 4217, 4218, 4219, 4220, 4221, 4222, 4223, 4225, 4226, 4227, 4228, 4229, 4231, 4232, 4233, 4234, 4235, 4236, 4237,
		4238, 4239, 4240, 4241, 4242, 4243, 4244, 4245, 4246, 4247, 4248, 4250, 4251, 4256, 4258, 4259, 4260, 4261, 4262, 4263, 4264, 4265, 4266, 4267, 4268, 4269, 4270, 4271, 4272, 4273,
		4274, 4278, 4283, 4284, 4285, 4286, 4287, 4288, 4289, 4290, 4293, 4294, 4295, 4296, 4297, 4298, 4299, 4303, 4304, 4305, 4306, 4312, 4313, 4314, 4315, 4316, 4317, 4318, 4319, 4320,
		4322, 4323, 4325, 4326, 4327, 4330, 4332, 4333, 4334, 4338, 4339, 4340, 4341, 4342, 4343, 4344, 4345, 4346, 4348, 4351, 4353, 4356, 4357, 4359, 4360, 4361, 4362, 4365, 4369, 4370,
		4371, 4372, 4374, 4375, 4376, 4381, 4382, 4383, 4384, 4385, 4386, 4387, 4388, 4389, 4391, 4392, 4393, 4394, 4395, 4396, 4397, 4400, 4402, 4403, 4404, 4405, 4406, 4407, 4408, 4409,
		4410, 4411, 4413, 4414, 4415, 4416, 4417, 4419, 4420, 4421, 4422, 4426, 4428, 4429, 4431, 4433, 4434, 4435, 4437, 4438, 4439, 4440, 4441, 4442, 4443, 4444, 4448, 4450, 4452, 4453,
		4454, 4455, 4456, 4458, 4460, 4461, 4462, 4464, 4465, 4471, 4472, 4473, 4474, 4475, 4476, 4477, 4478, 4479, 4482, 4485, 4486, 4487, 4488, 4489, 4490, 4491, 4492, 4493, 4494, 4495,
		4496, 4497, 4498, 4499, 4500, 4501, 4504, 4505, 4506, 4510, 4512, 4513, 4514, 4515, 4516, 4517, 4518, 4519, 4521, 4522, 4523, 4524, 4526, 4529, 4530, 4532, 4535, 4539, 4540, 4541,
		4542, 4543, 4549, 4553, 4554, 4555, 4557, 4558, 4559, 4560, 4561, 4562, 4563, 4564, 4565, 4567, 4568, 4569, 4570, 4574, 4576, 4577, 4578, 4579, 4580, 4581, 4582, 4583, 4584, 4586,
		4587, 4588, 4589, 4590, 4591, 4592, 4593, 4594, 4595, 4596, 4601, 4602, 4603, 4604, 4605, 4606, 4607, 4608, 4609, 4610, 4614, 4615, 4616, 4617, 4618, 4619, 4620, 4621, 4623, 4625,
		4626, 4627, 4628, 4629, 4630, 4631, 4635, 4636, 4637, 4638, 4639, 4640, 4641, 4642, 4643, 4644, 4646, 4647, 4648, 4649, 4650, 4652, 4653, 4657, 4658, 4660, 4661, 4662, 4665, 4667,
		4668, 4669, 4670, 4671, 4672, 4673, 4674, 4675, 4676, 4677, 4679, 4680, 4681, 4690, 4692, 4696, 4697, 4700, 4701, 4702, 4703, 4704, 4705, 4706, 4707, 4708, 4709, 4714, 4715, 4716,
		4717, 4718, 4719, 4721, 4725, 4726, 4727, 4728, 4730, 4731, 4733, 4735, 4737, 4739, 4740, 4741, 4743, 4744, 4745, 4746, 4747, 4748, 4749, 4750, 4751, 4753, 4754, 4755, 4756, 4757,
		4758, 4760, 4761, 4762, 4763, 4764, 4765, 4766, 4771, 4773, 4775, 4776, 4778, 4779, 4780, 4783, 4785, 4786, 4787, 4788, 4789, 4790, 4791, 4792, 4804, 4805, 4807, 4808, 4809, 4810,
		4811, 4813, 4815, 4816, 4820, 4821, 4822, 4824, 4825, 4827, 4828, 4829, 4834, 4835, 4837, 4840, 4841, 4842, 4843, 4844, 4845, 4847, 4848, 4852, 4853, 4854, 4855, 4857, 4859, 4860,
		4862, 4865, 4866, 4867, 4868, 4870, 4871, 4874, 4875, 4876, 4877, 4878, 4882, 4883, 4884, 4885, 4888, 4894, 4898, 4899, 4900, 4902, 4903, 4904, 4906, 4907, 4911, 4913, 4914, 4921,
		4924, 4925, 4928, 4929, 4933, 4934, 4938, 4944, 4945, 4946, 4947, 4949, 4951, 4952, 4953, 4954, 4955, 4956, 4957, 4958, 4959, 4960, 4961, 4962, 4964, 4965, 4966, 4967, 4968, 4970,
		4971, 4972, 4973, 4974, 4975, 4978, 4979, 4980, 4981, 4982, 4983, 4988, 4989, 4992, 4993, 4994, 4995, 4996, 4997, 4998, 5005, 5006, 5007, 5009, 5024, 5028, 5029, 5035, 5036, 5037,
		5038, 5040, 5041, 5046, 5047, 5048, 5049, 5050, 5051, 5052, 5053, 5054, 5055, 5056, 5057, 5060, 5061, 5062, 5063, 5066, 5067, 5068, 5075, 5076, 5077, 5078, 5079, 5080, 5081, 5082,
		5083, 5084, 5086, 5087, 5088, 5089, 5090, 5091, 5094, 5095, 5096, 5098, 5099, 5100, 5101, 5102, 5104, 5105, 5106, 5108, 5109, 5110, 5112, 5114, 5117, 5119, 5120, 5122, 5123, 5128,
		5129, 5130, 5134, 5137, 5138, 5141, 5142, 5143, 5144, 5146, 5147, 5148, 5149, 5150, 5151, 5152, 5157, 5161, 5162, 5163, 5165, 5167, 5171, 5172, 5175, 5179, 5182, 5184, 5185, 5186,
		5189, 5191, 5192, 5194, 5196, 5197, 5199, 5200, 5203, 5204, 5205, 5206, 5207, 5209, 5210, 5211, 5213, 5214, 5215, 5216, 5217, 5221, 5222, 5223, 5224, 5225, 5226, 5227, 5228, 5229,
		5230, 5233, 5235, 5237, 5241, 5245, 5247, 5249, 5251, 5253, 5256, 5257, 5258, 5259, 5262, 5263, 5264, 5265, 5266, 5267, 5268, 5269, 5270, 5271, 5273, 5275, 5277, 5278, 5279, 5280,
		5281, 5282, 5283, 5284, 5285, 5286, 5288, 5289, 5290, 5291, 5297, 5299, 5300, 5301, 5302, 5304, 5305, 5306, 5307, 5308, 5309, 5310, 5311, 5312, 5313, 5314, 5315, 5321, 5325, 5326,
		5328, 5329, 5330, 5331, 5332, 5333, 5334, 5336, 5337, 5338, 5339, 5340, 5341, 5342, 5344, 5345, 5346, 5348, 5349, 5350, 5352, 5355, 5358, 5359, 5360, 5362, 5363, 5364, 5365, 5367,
		5369, 5371, 5372, 5374, 5375, 5376, 5377, 5378, 5379, 5381, 5382, 5383, 5384, 5385, 5386, 5391, 5394, 5395, 5398, 5399, 5400, 5401, 5402, 5405, 5406, 5407, 5408, 5409, 5411, 5412,
		5413, 5414, 5415, 5417, 5419, 5420, 5422, 5423, 5424, 5425, 5426, 5427, 5428, 5429, 5431, 5432, 5433, 5434, 5436, 5437, 5438, 5439, 5440, 5441, 5442, 5444, 5446, 5447, 5449, 5450,
		5452, 5454, 5455, 5456, 5457, 5460, 5461, 5462, 5465, 5467, 5468, 5469, 5472, 5473, 5474, 5476, 5477, 5478, 5479, 5480, 5481, 5482, 5483, 5484, 5485, 5486, 5487, 5491, 5492, 5493,
		5494, 5495, 5497, 5498, 5499, 5500, 5501, 5502, 5503, 5504, 5505, 5506, 5507, 5508, 5509, 5510, 5511, 5512, 5513, 5514, 5515, 5516, 5517, 5518, 5519, 5520, 5522, 5523, 5524, 5526,
		5527, 5528, 5529, 5530, 5531, 5532, 5533, 5534, 5535, 5537, 5539, 5540, 5541, 5542, 5543, 5544, 5545, 5546, 5547, 5548, 5549, 5550, 5551, 5553, 5555, 5556, 5557, 5558, 5559, 5562,
		5564, 5566, 5567, 5568, 5569, 5571, 5573, 5575, 5578, 5579, 5580, 5581, 5582, 5583, 5584, 5585, 5586, 5587, 5588, 5589, 5590, 5591, 5592, 5593, 5594, 5595, 5596, 5597, 5598, 5599,
		5600, 5601, 5610, 5611, 5612, 5613, 5614, 5615, 5616, 5617, 5618, 5620, 5621, 5622, 5623, 5625, 5626, 5627, 5628, 5629, 5630, 5631, 5632, 5633, 5634, 5635, 5636, 5637, 5638, 5639,
		5640, 5641, 5642, 5643, 5644, 5645, 5646, 5648, 5649, 5650, 5651, 5652, 5653, 5654, 5655, 5656, 5657, 5658, 5659, 5660, 5661, 5662, 5666, 5669, 5674, 5680, 5686, 5687, 5688, 5690,
		5691, 5692, 5693, 5694, 5695, 5696, 5700, 5701, 5702, 5703, 5704, 5705, 5706, 5707, 5708, 5709, 5710, 5711, 5712, 5713, 5714, 5716, 5717, 5718, 5719, 5720, 5721, 5722, 5723, 5724,
		5725, 5726, 5727, 5728, 5729, 5730, 5731, 5732, 5733, 5734, 5735, 5737, 5738, 5739, 5740, 5741, 5742, 5743, 5744, 5745, 5746, 5747, 5748, 5749, 5750, 5751, 5752, 5753, 5754, 5755,
		5756, 5757, 5759, 5760, 5761, 5762, 5763, 5764, 5765, 5766, 5767, 5768, 5769, 5770, 5771, 5773, 5774, 5775, 5776, 5777, 5778, 5779, 5780, 5781, 5782, 5783, 5784, 5785, 5786, 5789,
		5790, 5793, 5795, 5797, 5799, 5801, 5802, 5804, 5806, 5807, 5808, 5809, 5810, 5811, 5812, 5814, 5815, 5816, 5817, 5818, 5819, 5820, 5821, 5823, 5824, 5825, 5827, 5828, 5829, 5830,
		5831, 5832, 5833, 5837, 5840, 5842, 5843, 5845, 5847, 5848, 5851, 5853, 5858, 5861, 5862, 5863, 5864, 5866, 5868, 5869, 5870, 5871, 5872, 5873, 5874, 5875, 5876, 5877, 5878, 5879,
		5880, 5881, 5882, 5883, 5884, 5885, 5886, 5887, 5888, 5889, 5890, 5891, 5892, 5893, 5894, 5895, 5896, 5897, 5898, 5899, 5901, 5903, 5905, 5906, 5907, 5908, 5909, 5910, 5911, 5912,
		5918, 5921, 5922, 5923, 5924, 5925, 5927, 5928, 5929, 5930, 5931, 5932, 5934, 5937, 5938, 5939, 5944, 5948, 5952, 5955, 5957, 5958, 5959, 5960, 5961, 5964, 5972, 5973, 5975, 5976,
		5978, 5979, 5980, 5982, 5984, 5985, 5986, 5987, 5989, 5990, 5991, 5992, 5993, 5994, 5995, 5996, 5997, 5998, 5999, 6000, 6001, 6002, 6003, 6004, 6005, 6006, 6007, 6008, 6009, 6010,
		6011, 6012, 6013, 6014, 6015, 6016, 6017, 6018, 6019, 6020, 6021, 6022, 6023, 6024, 6025, 6026, 6027, 6029, 6031, 6032, 6033, 6034, 6035, 6036, 6037, 6039, 6042, 6044, 6046, 6050,
		6053, 6055, 6056, 6057, 6058, 6062, 6063, 6064, 6065, 6066, 6067, 6068, 6069, 6070, 6072, 6073, 6074, 6076, 6077, 6078, 6080, 6082, 6083, 6086, 6087, 6088, 6090, 6092, 6094, 6095,
		6097, 6099, 6101, 6103, 6105, 6107, 6109, 6111, 6113, 6114, 6116, 6117, 6118, 6119, 6120, 6121, 6122, 6125, 6126, 6127, 6128, 6130, 6132, 6133, 6134, 6135, 6136, 6137, 6138, 6139,
		6141, 6142, 6143, 6144, 6145, 6146, 6149, 6150, 6151, 6152, 6153, 6154, 6155, 6159, 6160, 6161, 6162, 6163, 6164, 6165, 6166, 6168, 6170, 6171, 6172, 6173, 6174, 6175, 6176, 6177,
		6178, 6179, 6180, 6181, 6182, 6185, 6187, 6190, 6191, 6192, 6193, 6194, 6195, 6196, 6198, 6199, 6200, 6201, 6202, 6203, 6205, 6207, 6209, 6212, 6214, 6215, 6216, 6221, 6227, 6229,
		6230, 6232, 6235, 6246, 6248, 6253, 6257, 6258, 6259, 6260, 6261, 6262, 6264, 6274, 6275, 6276, 6277, 6281, 6282, 6283, 6284, 6286, 6287, 6291, 6292, 6294, 6296, 6297, 6298, 6300,
		6301, 6303, 6305, 6306, 6310, 6311, 6313, 6316, 6319, 6322, 6323, 6325, 6326, 6328, 6329, 6336, 6337, 6342, 6348, 6349, 6350, 6352, 6353, 6354, 6357, 6358, 6359, 6360, 6361, 6362,
		6363, 6364, 6365, 6366, 6367, 6368, 6369, 6372, 6373, 6374, 6375, 6376, 6377, 6378, 6379, 6380, 6381, 6382, 6384, 6386, 6389, 6393, 6394, 6399, 6403, 6404, 6405, 6409, 6410, 6411,
		6412, 6414, 6416, 6417, 6418, 6419, 6420, 6421, 6422, 6424, 6426, 6429, 6432, 6434, 6437, 6438, 6441, 6442, 6444, 6446, 6449, 6455, 6457, 6458, 6459, 6460, 6461, 6463, 6466, 6467,
		6468, 6469, 6471, 6472, 6473, 6474, 6475, 6476, 6481, 6483, 6485, 6486, 6487, 6488, 6491, 6496, 6497, 6498, 6499, 6500, 6501, 6502, 6503, 6504, 6505, 6506, 6507, 6508, 6509, 6514,
		6517, 6518, 6519, 6520, 6521, 6522, 6523, 6525, 6526, 6527, 6529, 6530, 6531, 6532, 6534, 6535, 6536, 6537, 6538, 6539, 6540, 6541, 6543, 6545, 6547, 6552, 6556, 6559, 6560, 6561,
		6565, 6570, 6571, 6573, 6574, 6575, 6576, 6577, 6578, 6580, 6581, 6582, 6583, 6584, 6588, 6589, 6590, 6591, 6592, 6593, 6594, 6596, 6598, 6603, 6604, 6606, 6607, 6608, 6609, 6611,
		6613, 6617, 6618, 6619, 6620, 6621, 6622, 6623, 6624, 6625, 6626, 6628, 6629, 6630, 6631, 6632, 6633, 6634, 6635, 6639, 6640, 6643, 6644, 6645, 6646, 6647, 6648, 6649, 6650, 6651,
		6652, 6653, 6654, 6661, 6662, 6663, 6664, 6665, 6673, 6674, 6675, 6677, 6679, 6680, 6681, 6682, 6683, 6684, 6685, 6686, 6687, 6688, 6689, 6691, 6692, 6693, 6694, 6695, 6696, 6697,
		6698, 6700, 6701, 6703, 6707, 6708, 6709, 6710, 6711, 6712, 6713, 6714, 6715, 6721, 6722, 6723, 6724, 6725, 6727, 6728, 6729, 6730, 6731, 6732, 6733, 6735, 6736, 6738, 6741, 6744,
		6748, 6750, 6751, 6752, 6753, 6755, 6756, 6758, 6759, 6761, 6762, 6764, 6765, 6767, 6768, 6769, 6770, 6771, 6774, 6776, 6778, 6779, 6785, 6787, 6790, 6793, 6796, 6797, 6799, 6800,
		6801, 6804, 6805, 6806, 6809, 6810, 6811, 6812, 6813, 6823, 6824, 6825, 6827, 6828, 6829, 6831, 6832, 6834, 6836, 6837, 6838, 6841, 6843, 6848, 6853, 6854, 6860, 6862, 6863, 6864,
		6865, 6866, 6867, 6870, 6872, 6873, 6877, 6882, 6883, 6884, 6885, 6888, 6893, 6900, 6903, 6906, 6911, 6912, 6920, 6921, 6925, 6927, 6928, 6931, 6934, 6935, 6936, 6939, 6940, 6941,
		6942, 6943, 6944, 6945, 6946, 6947, 6948, 6949, 6950, 6951, 6952, 6956, 6957, 6959, 6961, 6962, 6963, 6964, 6965, 6966, 6967, 6968, 6969, 6970, 6971, 6975, 6976, 6977, 6978, 6979,
		6980, 6982, 6983, 6984, 6985, 6990, 6991, 6992, 6993, 6994, 6995, 6997, 6998, 7001, 7002, 7004, 7006, 7007, 7008, 7009, 7010, 7013, 7014, 7015, 7016, 7017, 7018, 7019, 7021, 7023,
		7024, 7025, 7026, 7027, 7028, 7029, 7031, 7032, 7033, 7037, 7039, 7042, 7044, 7046, 7047, 7048, 7049, 7051, 7053, 7054, 7055, 7057, 7058, 7059, 7060, 7061, 7062, 7063, 7064, 7066,
		7067, 7070, 7071, 7072, 7073, 7075, 7076, 7078, 7080, 7081, 7084, 7087, 7088, 7089, 7090, 7091, 7092, 7096, 7097, 7098, 7099, 7110, 7111, 7112, 7115, 7117, 7118, 7121, 7122, 7124,
		7125, 7126, 7127, 7128, 7129, 7131, 7132, 7133, 7134, 7135, 7141, 7142, 7143, 7144, 7145, 7146, 7147, 7149, 7150, 7151, 7152, 7153, 7154, 7155, 7156, 7157, 7158, 7159, 7163, 7164,
		7165, 7166, 7167, 7168, 7170, 7171, 7172, 7173, 7174, 7175, 7176, 7177, 7178, 7179, 7180, 7181, 7182, 7183, 7184, 7185, 7186, 7187, 7189, 7190, 7191, 7192, 7193, 7195, 7196, 7197,
		7198, 7199, 7200, 7201, 7202, 7203, 7204, 7205, 7206, 7207, 7208, 7209, 7210, 7212, 7213, 7215, 7216, 7217, 7218, 7219, 7220, 7221, 7223, 7232, 7233, 7236, 7237, 7240, 7241, 7242,
		7243, 7246, 7247, 7248, 7249, 7252, 7253, 7254, 7255, 7256, 7257, 7258, 7263, 7264, 7266, 7267, 7269, 7270, 7278, 7279, 7280, 7285, 7287, 7291, 7294, 7295, 7300, 7305, 7310, 7315,
		7316, 7317, 7320, 7321, 7322, 7323, 7324, 7327, 7329, 7331, 7332, 7333, 7334, 7339, 7343, 7344, 7346, 7347, 7348, 7349, 7350, 7351, 7352, 7353, 7354, 7355, 7356, 7357, 7358, 7359,
		7360, 7361, 7362, 7363, 7364, 7365, 7366, 7367, 7369, 7370, 7371, 7372, 7373, 7374, 7376, 7377, 7380, 7383, 7384, 7385, 7387, 7389, 7390, 7391, 7392, 7394, 7400, 7403, 7407, 7408,
		7409, 7410, 7411, 7412, 7414, 7415, 7416, 7417, 7418, 7419, 7420, 7423, 7424, 7426, 7427, 7433, 7434, 7435, 7437, 7444, 7445, 7447, 7448, 7449, 7450, 7454, 7456, 7459, 7464, 7467,
		7470, 7474, 7475, 7476, 7477, 7479, 7480, 7482, 7483, 7484, 7485, 7486, 7487, 7488, 7494, 7496, 7498, 7500, 7501, 7502, 7504, 7505, 7507, 7509, 7510, 7511, 7512, 7513, 7514, 7516,
		7518, 7519, 7520, 7521, 7522, 7525, 7526, 7530, 7537, 7538, 7539, 7540, 7543, 7547, 7548, 7549, 7550, 7552, 7553, 7554, 7555, 7561, 7562, 7563, 7564, 7565, 7566, 7567, 7568, 7569,
		7572, 7573, 7574, 7578, 7580, 7582, 7583, 7584, 7586, 7587, 7588, 7589, 7590, 7591, 7592, 7594, 7595, 7596, 7597, 7598, 7599, 7601, 7605, 7606, 7607, 7608, 7609, 7612, 7613, 7616,
		7617, 7618, 7620, 7621, 7622, 7624, 7625, 7626, 7627, 7628, 7629, 7630, 7631, 7632, 7634, 7635, 7637, 7638, 7639, 7640, 7646, 7647, 7648, 7649, 7650, 7651, 7652, 7653, 7657, 7658,
		7660, 7664, 7665, 7666, 7667, 7668, 7669, 7670, 7671, 7672, 7673, 7674, 7675, 7676, 7680, 7687, 7688, 7696, 7697, 7698, 7700, 7702, 7703, 7704, 7705, 7706, 7707, 7708, 7712, 7716,
		7717, 7720, 7725, 7726, 7727, 7730, 7732, 7734, 7735, 7736, 7737, 7738, 7741, 7744, 7745, 7746, 7749, 7750, 7751, 7760, 7768, 7769, 7771, 7772, 7773, 7774, 7775, 7776, 7777, 7778,
		7779, 7780, 7781, 7784, 7785, 7786, 7787, 7788, 7789, 7790, 7791, 7792, 7793, 7794, 7795, 7796, 7797, 7798, 7799, 7800, 7801, 7802, 7803, 7804, 7805, 7806, 7807, 7808, 7815, 7817,
		7818, 7819, 7820, 7821, 7822, 7823, 7824, 7825, 7826, 7827, 7828, 7829, 7836, 7840, 7843, 7845, 7846, 7848, 7849, 7850, 7851, 7853, 7854, 7856, 7857, 7858, 7860, 7861, 7862, 7863,
		7864, 7866, 7867, 7868, 7869, 7870, 7871, 7872, 7873, 7874, 7876, 7877, 7882, 7883, 7884, 7885, 7887, 7889, 7891, 7892, 7893, 7894, 7895, 7902, 7903, 7907, 7908, 7909, 7910, 7916,
		7917, 7918, 7919, 7925, 7931, 7932, 7933, 7935, 7940, 7944, 7945, 7946, 7947, 7948, 7949, 7950, 7951, 7952, 7961, 7962, 7963, 7964, 7965, 7966, 7967, 7968, 7969, 7973, 7974, 7975,
		7976, 7977, 7978, 7979, 7980, 7981, 7982, 7983, 7984, 7985, 7987, 7989, 7990, 7991, 7998, 7999, 8000, 8002, 8003, 8004, 8005, 8006, 8007, 8008, 8009, 8010, 8012, 8014, 8017, 8020,
		8021, 8022, 8023, 8024, 8025, 8026, 8027, 8028, 8029, 8030, 8031, 8032, 8033, 8034, 8045, 8046, 8047, 8048, 8051, 8052, 8053, 8054, 8055, 8056, 8057, 8058, 8059, 8060, 8061, 8062,
		8063, 8064, 8065, 8066, 8067, 8068, 8069, 8070, 8071, 8077, 8078, 8079, 8082, 8084, 8085, 8087, 8088, 8089, 8090, 8096, 8101, 8106, 8108, 8110, 8114, 8118, 8121, 8122, 8123, 8124,
		8125, 8127, 8128, 8129, 8131, 8132, 8133, 8134, 8136, 8137, 8138, 8139, 8141, 8143, 8146, 8148, 8149, 8153, 8154, 8156, 8158, 8159, 8160, 8171, 8173, 8174, 8175, 8176, 8177, 8180,
		8183, 8184, 8187, 8189, 8190, 8192, 8193, 8195, 8196, 8197, 8198, 8199, 8201, 8202, 8204, 8206, 8207, 8209, 8211, 8212, 8213, 8214, 8215, 8218, 8229, 8230, 8231, 8232, 8233, 8234,
		8235, 8236, 8237, 8238, 8240, 8241, 8242, 8244, 8246, 8247, 8252, 8257, 8258, 8259, 8265, 8271, 8273, 8274, 8276, 8277, 8278, 8279, 8280, 8281, 8283, 8285, 8286, 8288, 8289, 8290,
		8293, 8295, 8297, 8298, 8299, 8300, 8303, 8304, 8305, 8310, 8315, 8316, 8318, 8320, 8321, 8322, 8324, 8325, 8326, 8329, 8330, 8331, 8332, 8333, 8334, 8335, 8336, 8337, 8338, 8339,
		8340, 8341, 8342, 8343, 8345, 8346, 8347, 8348, 8349, 8351, 8352, 8355, 8356, 8357, 8358, 8359, 8360, 8361, 8362, 8363, 8364, 8366, 8367, 8368, 8370, 8371, 8372, 8373, 8375, 8376,
		8377, 8378, 8381, 8384, 8385, 8386, 8387, 8388, 8390, 8391, 8394, 8395, 8396, 8397, 8399, 8400, 8402, 8403, 8404, 8405, 8406, 8407, 8408, 8409, 8410, 8411, 8412, 8413, 8414, 8415,
		8416, 8417, 8420, 8421, 8424, 8425, 8426, 8427, 8428, 8429, 8430, 8431, 8433, 8434, 8437, 8438, 8439, 8441, 8443, 8444, 8445, 8446, 8447, 8449, 8452, 8453, 8455, 8457, 8458, 8459,
		8461, 8463, 8464, 8465, 8466, 8467, 8468, 8470, 8471, 8472, 8473, 8475, 8476, 8480, 8481, 8483, 8485, 8486, 8487, 8491, 8492, 8494, 8496, 8497, 8498, 8499, 8500, 8501, 8502, 8503,
		8504, 8505, 8506, 8507, 8509, 8510, 8511, 8512, 8513, 8514, 8515, 8516, 8517, 8519, 8520, 8521, 8522, 8523, 8524, 8525, 8526, 8527, 8528, 8529, 8530, 8531, 8532, 8534, 8537, 8540,
		8542, 8543, 8545, 8546, 8547, 8549, 8551, 8552, 8553, 8554, 8555, 8560, 8565, 8566, 8568, 8570, 8571, 8572, 8577, 8578, 8579, 8580, 8581, 8582, 8584, 8585, 8588, 8591, 8592, 8593,
		8595, 8596, 8597, 8598, 8599, 8604, 8605, 8607, 8608, 8609, 8611, 8612, 8613, 8614, 8615, 8616, 8617, 8618, 8622, 8623, 8624, 8625, 8626, 8629, 8632, 8633, 8634, 8635, 8636, 8637,
		8638, 8639, 8640, 8643, 8644, 8645, 8647, 8648, 8649, 8652, 8653, 8654, 8655, 8656, 8657, 8658, 8659, 8660, 8661, 8662, 8663, 8666, 8667, 8670, 8678, 8680, 8682, 8683, 8684, 8685,
		8686, 8687, 8689, 8691, 8692, 8693, 8694, 8697, 8698, 8699, 8700, 8701, 8702, 8703, 8705, 8706, 8708, 8709, 8710, 8711, 8712, 8714, 8715, 8716, 8717, 8718, 8721, 8725, 8726, 8727,
		8728, 8729, 8730, 8731, 8733, 8734, 8735, 8736, 8737, 8738, 8739, 8740, 8741, 8742, 8743, 8745, 8746, 8747, 8749, 8750, 8751, 8752, 8753, 8754, 8755, 8760, 8761, 8766, 8768, 8769,
		8770, 8771, 8772, 8775, 8776, 8777, 8778, 8779, 8780, 8781, 8782, 8783, 8784, 8785, 8786, 8788, 8790, 8791, 8793, 8794, 8795, 8796, 8797, 8798, 8799, 8802, 8803, 8804, 8806, 8809,
		8810, 8811, 8813, 8814, 8815, 8816, 8817, 8818, 8819, 8820, 8821, 8822, 8823, 8824, 8825, 8826, 8834, 8835, 8836, 8837, 8839, 8840, 8841, 8846, 8847, 8848, 8849, 8851, 8852, 8855,
		8856, 8860, 8861, 8862, 8863, 8871, 8872, 8873, 8874, 8875, 8876, 8877, 8878, 8879, 8880, 8881, 8885, 8886, 8887, 8888, 8889, 8893, 8897, 8898, 8899, 8901, 8902, 8903, 8904, 8905,
		8906, 8907, 8908, 8909, 8910, 8911, 8912, 8913, 8917, 8918, 8921, 8922, 8925, 8929, 8930, 8933, 8937, 8938, 8939, 8940, 8941, 8942, 8943, 8944, 8945, 8951, 8952, 8953, 8954, 8955,
		8964, 8965, 8966, 8968, 8969, 8970, 8971, 8972, 8977, 8979, 8980, 8981, 8985, 8987, 8988, 8989, 8991, 8992, 8994, 8996, 8998, 8999, 9001, 9003, 9004, 9005, 9006, 9007, 9009, 9011,
		9012, 9013, 9014, 9016, 9020, 9021, 9022, 9023, 9024, 9028, 9029, 9031, 9033, 9035, 9037, 9038, 9041, 9043, 9044, 9045, 9046, 9047, 9048, 9051, 9052, 9053, 9055, 9056, 9057, 9058,
		9059, 9060, 9062, 9064, 9065, 9066, 9067, 9068, 9069, 9070, 9071, 9072, 9073, 9074, 9075, 9076, 9077, 9078, 9079, 9080, 9081, 9082, 9083, 9084, 9085, 9087, 9088, 9089, 9090, 9091,
		9092, 9093, 9094, 9095, 9096, 9097, 9098, 9099, 9100, 9101, 9102, 9103, 9104, 9105, 9106, 9110, 9114, 9117, 9118, 9119, 9120, 9124, 9126, 9127, 9128, 9129, 9131, 9132, 9134, 9135,
		9136, 9137, 9138, 9139, 9140, 9141, 9144, 9145, 9146, 9147, 9150, 9151, 9152, 9153, 9154, 9155, 9156, 9157, 9158, 9159, 9160, 9161, 9163, 9165, 9166, 9167, 9168, 9169, 9171, 9172,
		9176, 9177, 9180, 9185, 9186, 9187, 9188, 9189, 9190, 9191, 9192, 9193, 9194, 9195, 9196, 9197, 9198, 9199, 9200, 9201, 9202, 9203, 9204, 9205, 9211, 9212, 9213, 9214, 9215, 9216,
		9217, 9218, 9219, 9220, 9221, 9222, 9223, 9224, 9225, 9226, 9227, 9228, 9229, 9230, 9231, 9232, 9233, 9241, 9248, 9249, 9250, 9252, 9253, 9255, 9256, 9257, 9258, 9259, 9260, 9261,
		9262, 9263, 9264, 9265, 9267, 9269, 9270, 9271, 9272, 9273, 9274, 9275, 9276, 9277, 9278, 9279, 9280, 9281, 9282, 9289, 9290, 9293, 9294, 9295, 9296, 9297, 9300, 9302, 9303, 9305,
		9306, 9307, 9310, 9311, 9319, 9321, 9322, 9323, 9326, 9327, 9330, 9331, 9333, 9336, 9337, 9338, 9339, 9340, 9341, 9342, 9343, 9344, 9345, 9349, 9351, 9352, 9353, 9354, 9355, 9356,
		9357, 9358, 9359, 9360, 9361, 9362, 9364, 9365, 9366, 9367, 9369, 9370, 9371, 9372, 9373, 9375, 9376, 9377, 9378, 9379, 9380, 9381, 9382, 9383, 9386, 9388, 9390, 9391, 9394, 9396,
		9397, 9398, 9399, 9400, 9401, 9402, 9403, 9404, 9405, 9406, 9407, 9408, 9411, 9412, 9413, 9414, 9416, 9417, 9419, 9420, 9421, 9422, 9423, 9424, 9425, 9426, 9427, 9428, 9429, 9430,
		9431, 9432, 9433, 9434, 9435, 9436, 9438, 9439, 9440, 9441, 9442, 9443, 9444, 9445, 9446, 9447, 9448, 9449, 9450, 9451, 9452, 9456, 9459, 9460, 9461, 9462, 9464, 9465, 9467, 9468,
		9469, 9470, 9471, 9472, 9473, 9474, 9475, 9476, 9480, 9482, 9483, 9484, 9485, 9486, 9489, 9490, 9491, 9492, 9493, 9494, 9495, 9496, 9497, 9499, 9500, 9501, 9502, 9504, 9506, 9507,
		9508, 9509, 9510, 9511, 9513, 9514, 9515, 9517, 9519, 9522, 9523, 9524, 9527, 9529, 9530, 9531, 9532, 9533, 9535, 9536, 9538, 9540, 9544, 9545, 9553, 9554, 9555, 9556, 9557, 9558,
		9563, 9564, 9565, 9571, 9572, 9575, 9576, 9577, 9578, 9579, 9580, 9581, 9582, 9583, 9584, 9585, 9586, 9587, 9588, 9589, 9590, 9591, 9592, 9593, 9594, 9599, 9600, 9601, 9602, 9606,
		9607, 9608, 9609, 9610, 9611, 9612, 9613, 9614, 9615, 9616, 9617, 9618, 9619, 9620, 9621, 9622, 9623, 9624, 9625, 9626, 9627, 9630, 9632, 9634, 9636, 9638, 9639, 9640, 9644, 9645,
		9646, 9647, 9648, 9649, 9650, 9651, 9652, 9653, 9654, 9655, 9656, 9657, 9658, 9659, 9662, 9665, 9666, 9667, 9668, 9669, 9670, 9671, 9672, 9673, 9674, 9675, 9676, 9677, 9678, 9679,
		9680, 9681, 9682, 9683, 9684, 9685, 9686, 9687, 9689, 9690, 9691, 9692, 9693, 9694, 9695, 9696, 9697, 9698, 9699, 9700, 9702, 9705, 9706, 9707, 9708, 9709, 9712, 9714, 9717, 9718,
		9719, 9720, 9721, 9722, 9723, 9724, 9725, 9726, 9734, 9735, 9736, 9737, 9738, 9740, 9741, 9742, 9743, 9745, 9750, 9754, 9756, 9757, 9764, 9765, 9766, 9767, 9768, 9769, 9770, 9773,
		9775, 9776, 9777, 9778, 9779, 9782, 9783, 9784, 9785, 9786, 9787, 9788, 9790, 9792, 9793, 9794, 9800, 9801, 9803, 9804, 9805, 9810, 9811, 9812, 9813, 9814, 9815, 9816, 9817, 9818,
		9819, 9820, 9821, 9822, 9823, 9829, 9834, 9838, 9841, 9842, 9843, 9845, 9846, 9847, 9848, 9849, 9851, 9852, 9853, 9854, 9855, 9856, 9858, 9859, 9860, 9861, 9862, 9863, 9864, 9865,
		9866, 9867, 9868, 9870, 9871, 9872, 9879, 9885, 9887, 9888, 9889, 9890, 9892, 9893, 9894, 9895, 9898, 9899, 9900, 9901, 9902, 9903, 9908, 9910, 9918, 9920, 9921, 9922, 9924, 9925,
		9926, 9927, 9928, 9929, 9930, 9931, 9932, 9933, 9935, 9936, 9937, 9938, 9939, 9940, 9941, 9942, 9944, 9952, 9955, 9956, 9957, 9958, 9959, 9960, 9961, 9962, 9963, 9964, 9965, 9968,
		9969, 9970, 9971, 9972, 9977, 9978, 9979, 9986, 9987, 9988, 9989, 9990, 9991, 9992, 9993, 9995, 9998, 10000, 10001, 10005, 10007, 10008, 10009, 10014, 10016, 10017, 10019, 10021, 10022, 10023,
		10024, 10025, 10028, 10029, 10030, 10031, 10032, 10035, 10036, 10037, 10038, 10039, 10041, 10042, 10043, 10044, 10045, 10046, 10047, 10048, 10049, 10050, 10051, 10052, 10054, 10055, 10056, 10057, 10058, 10059,
		10060, 10061, 10062, 10063, 10064, 10065, 10066, 10067, 10068, 10069, 10070, 10071, 10072, 10073, 10074, 10075, 10076, 10077, 10078, 10079, 10080, 10081, 10082, 10083, 10084, 10085, 10086, 10087, 10088, 10089,
		10090, 10091, 10092, 10093, 10094, 10095, 10097, 10098, 10099, 10100, 10101, 10102, 10103, 10104, 10105, 10106, 10109, 10112, 10113, 10114, 10115, 10116, 10117, 10118, 10119, 10121, 10124, 10126, 10127, 10128,
		10129, 10130, 10131, 10134, 10135, 10136, 10140, 10141, 10142, 10143, 10144, 10146, 10147, 10149, 10150, 10151, 10152, 10153, 10154, 10157, 10158, 10159, 10160, 10161, 10162, 10163, 10167, 10171, 10172, 10173,
		10174, 10175, 10176, 10178, 10182, 10183, 10184, 10185, 10186, 10189, 10191, 10192, 10193, 10196, 10197, 10198, 10199, 10200, 10201, 10202, 10203, 10204, 10205, 10206, 10207, 10208, 10209, 10210, 10211, 10212,
		10213, 10214, 10215, 10216, 10217, 10220, 10221, 10222, 10225, 10226, 10227, 10228, 10229, 10230, 10231, 10232, 10233, 10234, 10235, 10236, 10237, 10238, 10239, 10240, 10241, 10242, 10243, 10245, 10246, 10247,
		10249, 10251, 10252, 10253, 10254, 10255, 10256, 10257, 10258, 10259, 10260,
	},
	lists: []uint32{
		0, 43, 124, 5, 124, 197, 137, 511, 653, 138, 348, 511, 329, 475, 511, 329, 475, 511, 329, 475, 329, 475, 139, 140, 730, 141, 191, 196, 200, 195,
		199, 258, 781, 884, 757, 279, 779, 757, 784, 806, 779, 560, 808, 757, 730, 757, 784, 992, 992, 757, 560, 784, 560, 808, 784, 784, 301, 301, 301, 757,
		757, 757, 779, 560, 757, 769, 784, 730, 757, 808, 301, 301, 301, 873, 873, 909, 909, 988, 986, 987, 805, 121, 124, 806, 805, 808, 2, 12, 108, 545,
		836, 545, 787, 836, 842, 873, 873, 965, 534, 27, 285, 554, 679, 786, 821, 561, 561, 125, 125, 348, 348, 329, 475, 493, 503, 511, 595, 329, 475, 493,
		503, 511, 576, 355, 445, 355, 445, 329, 475, 493, 503, 511, 329, 475, 493, 503, 511, 285, 585, 544, 343, 380, 455, 680, 699, 702, 718, 727, 488, 737,
		762, 730, 489, 571, 677, 343, 380, 680, 702, 546, 344, 885, 909, 909, 309, 341, 341, 727, 171, 272, 172, 13, 259, 13, 259, 13, 599, 172, 185, 843,
		190, 653, 572, 572, 816, 799, 301, 594, 638, 50, 560, 21, 285, 326, 955, 808, 955, 718, 762, 728, 730, 808, 30, 56, 198, 489, 492, 497, 513, 492,
		497, 193, 532, 702, 503, 503, 320, 319, 56, 80, 489, 492, 497, 513, 532, 513, 560, 572, 572, 984, 984, 472, 763, 805, 842, 300, 302, 302, 975, 975,
		956, 956, 461, 381, 381, 741, 381, 708, 168, 330, 205, 514, 223, 234, 290, 290, 514, 514, 544, 301, 301, 301, 301, 59, 514, 124, 221, 234, 757, 757,
		284, 890, 890, 890, 890, 782, 718, 301, 537, 931, 931, 805, 805, 330, 332, 672, 719, 763, 719, 332, 18, 330, 719, 763, 205, 812, 205, 812, 10, 659,
		738, 781, 125, 125, 291, 513, 571, 781, 844, 781, 8, 781, 513, 8, 291, 291, 125, 62, 544, 719, 14, 125, 294, 528, 531, 63, 536, 261, 261, 261,
		50, 354, 444, 354, 444, 250, 806, 873, 889, 873, 889, 976, 321, 37, 953, 953, 600, 781, 779, 808, 808, 779, 808, 784, 784, 806, 560, 37, 757, 779,
		560, 317, 730, 757, 44, 124, 331, 955, 662, 187, 909, 205, 872, 872, 730, 514, 544, 514, 544, 543, 757, 730, 50, 543, 781, 730, 730, 497, 489, 497,
		513, 492, 171, 272, 278, 172, 516, 309, 291, 309, 863, 348, 805, 808, 978, 348, 412, 300, 301, 292, 292, 183, 659, 738, 781, 125, 572, 769, 572, 769,
		806, 730, 757, 730, 755, 755, 757, 757, 11, 845, 845, 845, 726, 730, 300, 300, 979, 890, 890, 546, 488, 329, 475, 493, 503, 511, 329, 475, 493, 503,
		511, 576, 737, 503, 503, 503, 503, 560, 488, 300, 216, 571, 727, 844, 571, 804, 488, 545, 842, 808, 808, 808, 808, 247, 278, 805, 808, 545, 787, 789,
		801, 842, 545, 787, 789, 294, 279, 952, 125, 125, 14, 125, 516, 125, 14, 125, 125, 125, 125, 952, 294, 700, 516, 516, 516, 516, 516, 65, 261, 763,
		514, 719, 791, 294, 294, 975, 956, 284, 728, 740, 754, 728, 284, 67, 116, 803, 38, 882, 882, 890, 890, 410, 779, 290, 290, 852, 909, 882, 882, 248,
		662, 719, 662, 13, 659, 781, 741, 291, 13, 591, 975, 975, 956, 481, 500, 711, 332, 378, 872, 872, 205, 872, 872, 909, 979, 909, 979, 873, 909, 873,
		326, 326, 690, 22, 7, 220, 234, 489, 513, 571, 844, 259, 187, 722, 729, 756, 730, 736, 959, 975, 956, 343, 343, 284, 670, 284, 7, 401, 889, 328,
		675, 328, 676, 466, 889, 7, 7, 231, 908, 908, 7, 230, 330, 842, 301, 317, 317, 317, 317, 317, 330, 339, 763, 328, 355, 445, 699, 348, 355, 445,
		699, 952, 952, 355, 445, 355, 445, 381, 381, 572, 572, 329, 475, 493, 329, 475, 493, 599, 330, 511, 279, 261, 337, 256, 279, 261, 338, 808, 975, 516,
		516, 294, 294, 294, 294, 414, 205, 544, 546, 344, 410, 642, 344, 410, 344, 23, 328, 763, 492, 497, 671, 503, 885, 497, 572, 572, 572, 284, 740, 444,
		951, 444, 951, 327, 327, 327, 330, 545, 787, 789, 842, 284, 737, 284, 380, 443, 497, 653, 728, 754, 329, 475, 493, 503, 329, 475, 493, 503, 511, 380,
		728, 754, 805, 699, 853, 511, 545, 561, 787, 842, 561, 445, 545, 561, 787, 842, 445, 561, 842, 493, 545, 561, 787, 842, 545, 561, 787, 789, 842, 560,
		546, 546, 343, 497, 773, 890, 488, 545, 762, 789, 842, 475, 545, 737, 762, 789, 842, 762, 762, 952, 762, 952, 952, 952, 808, 343, 890, 958, 955, 958,
		728, 926, 174, 591, 591, 782, 881, 355, 881, 782, 864, 864, 205, 205, 284, 285, 48, 172, 905, 805, 808, 290, 300, 329, 475, 493, 503, 511, 329, 475,
		493, 503, 873, 873, 984, 973, 171, 172, 905, 819, 261, 292, 290, 12, 352, 381, 352, 741, 741, 741, 741, 741, 741, 381, 381, 381, 381, 741, 741, 741,
		108, 171, 13, 259, 13, 172, 872, 872, 410, 850, 352, 352, 352, 352, 279, 808, 559, 420, 651, 546, 546, 965, 992, 984, 984, 301, 292, 292, 292, 292,
		292, 50, 965, 805, 328, 328, 984, 984, 898, 294, 294, 291, 50, 965, 974, 790, 381, 730, 737, 948, 513, 727, 727, 979, 424, 808, 762, 545, 779, 975,
		956, 291, 301, 327, 327, 873, 873, 329, 475, 329, 475, 730, 511, 653, 975, 812, 812, 870, 845, 873, 909, 912, 873, 913, 572, 956, 381, 381, 958, 888,
		898, 975, 332, 420, 719, 719, 332, 420, 420, 719, 718, 730, 885, 872, 889, 872, 889, 885, 872, 872, 728, 754, 728, 737, 754, 727, 737, 737, 624, 872,
		872, 863, 873, 885, 889, 909, 909, 873, 889, 979, 979, 863, 885, 882, 882, 545, 787, 789, 842, 737, 545, 787, 789, 842, 205, 811, 205, 300, 500, 56,
		489, 497, 513, 571, 572, 818, 844, 205, 572, 7, 224, 234, 327, 327, 955, 954, 51, 718, 782, 572, 572, 755, 572, 572, 976, 882, 882, 873, 873, 945,
		946, 167, 125, 330, 1, 379, 881, 930, 342, 679, 930, 1, 379, 881, 930, 342, 679, 930, 816, 932, 932, 979, 379, 885, 379, 885, 890, 890, 284, 740,
		977, 996, 284, 977, 996, 730, 755, 757, 572, 755, 755, 572, 975, 554, 786, 821, 653, 699, 816, 561, 671, 653, 816, 842, 545, 762, 787, 789, 801, 842,
		50, 342, 342, 474, 474, 701, 701, 342, 342, 474, 474, 701, 701, 330, 380, 718, 728, 754, 730, 380, 975, 956, 330, 546, 389, 570, 780, 570, 780, 326,
		614, 843, 326, 855, 890, 890, 885, 885, 572, 572, 873, 873, 872, 872, 979, 932, 932, 909, 909, 930, 930, 284, 872, 881, 889, 889, 730, 757, 872, 881,
		889, 889, 545, 787, 805, 842, 872, 881, 872, 881, 890, 890, 890, 890, 560, 918, 488, 737, 872, 872, 341, 755, 341, 55, 99, 124, 1, 66, 347, 410,
		476, 1, 66, 347, 410, 476, 327, 327, 327, 863, 546, 699, 720, 262, 272, 278, 545, 842, 205, 842, 805, 808, 262, 808, 699, 816, 805, 343, 699, 816,
		561, 842, 343, 890, 67, 124, 548, 955, 681, 954, 331, 283, 681, 381, 381, 381, 239, 300, 235, 239, 842, 805, 808, 571, 844, 571, 804, 844, 953, 282,
		681, 381, 381, 381, 954, 737, 348, 348, 939, 512, 640, 616, 640, 890, 947, 932, 932, 727, 475, 475, 737, 754, 919, 919, 272, 278, 908, 908, 890, 205,
		205, 7, 911, 7, 911, 873, 873, 481, 501, 670, 488, 420, 420, 420, 779, 805, 975, 956, 361, 849, 887, 887, 561, 842, 932, 572, 572, 762, 56, 489,
		492, 497, 513, 571, 844, 692, 952, 754, 952, 489, 492, 497, 513, 571, 844, 300, 278, 285, 330, 527, 332, 514, 330, 575, 911, 911, 575, 699, 831, 545,
		653, 787, 789, 801, 822, 842, 545, 787, 789, 801, 822, 7, 234, 218, 718, 755, 757, 545, 575, 699, 754, 816, 822, 825, 842, 779, 808, 554, 564, 574,
		786, 803, 821, 843, 332, 546, 332, 330, 514, 742, 68, 279, 546, 205, 293, 300, 489, 572, 909, 785, 785, 783, 783, 785, 545, 572, 842, 976, 488, 975,
		906, 872, 872, 881, 881, 646, 572, 975, 572, 956, 187, 805, 805, 890, 979, 979, 890, 309, 653, 843, 66, 347, 410, 476, 66, 347, 476, 56, 489, 492,
		497, 513, 890, 572, 727, 572, 976, 762, 890, 572, 572, 205, 727, 572, 572, 169, 354, 527, 662, 33, 514, 354, 603, 662, 489, 497, 727, 764, 732, 737,
		737, 737, 737, 737, 503, 503, 489, 497, 727, 890, 890, 854, 284, 285, 512, 740, 624, 284, 332, 718, 718, 355, 445, 151, 380, 488, 492, 497, 489, 571,
		572, 818, 489, 571, 572, 804, 818, 953, 326, 423, 699, 728, 754, 737, 511, 737, 326, 327, 327, 953, 489, 497, 513, 571, 572, 818, 844, 918, 571, 489,
		513, 571, 572, 804, 818, 844, 918, 284, 481, 512, 554, 640, 740, 786, 481, 979, 979, 546, 574, 293, 205, 205, 816, 3, 265, 327, 252, 3, 266, 293,
		575, 908, 898, 575, 590, 546, 908, 898, 293, 727, 955, 560, 727, 862, 918, 955, 488, 545, 554, 786, 843, 545, 787, 789, 842, 545, 730, 730, 381, 730,
		918, 381, 730, 757, 918, 843, 543, 543, 842, 543, 543, 659, 727, 738, 50, 330, 586, 744, 208, 272, 546, 301, 301, 301, 301, 402, 328, 468, 343, 680,
		699, 718, 488, 327, 327, 343, 713, 979, 979, 890, 890, 908, 908, 294, 727, 737, 824, 541, 754, 575, 653, 754, 330, 91, 657, 84, 516, 516, 294, 294,
		260, 279, 294, 125, 125, 60, 261, 575, 503, 503, 260, 279, 330, 259, 192, 292, 292, 311, 311, 52, 3, 68, 3, 68, 528, 728, 877, 728, 754, 783,
		783, 105, 594, 125, 125, 125, 594, 290, 290, 290, 290, 290, 727, 728, 754, 952, 878, 546, 129, 560, 699, 728, 737, 754, 952, 292, 292, 294, 294, 294,
		677, 68, 699, 754, 826, 699, 816, 827, 450, 344, 779, 805, 716, 887, 887, 489, 513, 326, 329, 475, 691, 330, 329, 475, 511, 326, 572, 434, 572, 284,
		285, 439, 481, 501, 512, 554, 640, 670, 740, 786, 821, 843, 996, 284, 285, 481, 996, 727, 528, 727, 884, 884, 379, 379, 205, 124, 788, 331, 488, 801,
		801, 330, 495, 786, 546, 205, 624, 951, 951, 730, 488, 330, 976, 890, 890, 572, 755, 755, 572, 354, 366, 354, 367, 352, 489, 497, 513, 571, 572, 818,
		844, 918, 489, 513, 571, 572, 804, 818, 844, 918, 929, 347, 474, 476, 512, 670, 701, 881, 953, 954, 954, 954, 347, 474, 476, 701, 881, 379, 886, 379,
		886, 554, 574, 786, 326, 655, 332, 514, 332, 514, 514, 326, 56, 82, 329, 475, 493, 503, 576, 616, 327, 671, 701, 701, 329, 475, 493, 503, 511, 576,
		595, 699, 737, 595, 475, 727, 762, 737, 475, 762, 545, 762, 789, 560, 329, 475, 493, 503, 511, 872, 872, 571, 782, 909, 909, 974, 762, 545, 762, 789,
		805, 842, 805, 974, 873, 873, 727, 737, 737, 572, 572, 348, 417, 979, 572, 881, 881, 327, 327, 327, 327, 953, 785, 56, 489, 492, 497, 513, 571, 293,
		302, 293, 979, 556, 786, 762, 489, 492, 497, 547, 560, 727, 764, 731, 737, 737, 737, 737, 737, 737, 737, 123, 489, 492, 497, 560, 727, 754, 844, 881,
		940, 872, 881, 940, 872, 384, 863, 205, 330, 546, 928, 301, 301, 301, 572, 783, 783, 979, 890, 940, 940, 890, 173, 186, 193, 974, 293, 205, 730, 870,
		730, 870, 514, 544, 380, 594, 699, 728, 754, 810, 730, 744, 328, 514, 728, 343, 380, 492, 497, 699, 728, 754, 918, 488, 737, 737, 343, 380, 728, 918,
		330, 546, 572, 545, 762, 789, 801, 779, 330, 546, 779, 805, 808, 805, 572, 572, 836, 836, 842, 497, 728, 754, 671, 342, 327, 327, 327, 327, 342, 301,
		301, 542, 542, 309, 66, 351, 476, 514, 235, 239, 66, 351, 476, 884, 884, 884, 884, 884, 327, 327, 884, 884, 546, 975, 927, 542, 542, 545, 545, 842,
		399, 193, 981, 872, 872, 714, 87, 872, 872, 728, 754, 728, 501, 591, 591, 662, 591, 474, 481, 501, 512, 591, 591, 605, 474, 481, 496, 347, 476, 347,
		476, 344, 348, 411, 344, 344, 873, 873, 291, 310, 291, 310, 290, 309, 682, 514, 683, 546, 684, 300, 272, 278, 285, 354, 379, 527, 544, 354, 379, 284,
		860, 378, 378, 378, 378, 378, 147, 918, 310, 958, 983, 983, 546, 571, 844, 911, 488, 517, 326, 609, 670, 503, 503, 497, 326, 873, 958, 873, 805, 808,
		805, 808, 889, 889, 290, 290, 290, 290, 290, 290, 332, 786, 301, 992, 992, 326, 727, 754, 737, 737, 326, 754, 489, 571, 489, 571, 575, 680, 699, 575,
		290, 290, 290, 301, 379, 879, 379, 879, 728, 754, 226, 332, 420, 514, 719, 763, 719, 763, 332, 420, 763, 763, 763, 420, 719, 763, 871, 871, 148, 326,
		56, 79, 198, 98, 186, 193, 98, 560, 804, 326, 343, 718, 343, 718, 205, 545, 762, 789, 801, 842, 848, 822, 6, 67, 117, 126, 346, 819, 980, 980,
		888, 903, 205, 898, 560, 328, 574, 554, 786, 481, 512, 481, 512, 554, 786, 843, 302, 302, 812, 812, 290, 290, 290, 302, 812, 812, 952, 952, 545, 787,
		789, 801, 822, 842, 489, 571, 818, 489, 571, 818, 3, 3, 3, 91, 292, 3, 91, 292, 528, 50, 489, 497, 513, 571, 844, 728, 759, 292, 292, 292,
		292, 292, 845, 845, 974, 805, 545, 787, 789, 805, 842, 66, 332, 351, 379, 476, 617, 235, 239, 975, 66, 351, 379, 476, 888, 1, 1, 545, 787, 842,
		545, 787, 789, 842, 789, 545, 787, 789, 801, 842, 545, 787, 789, 801, 89, 284, 730, 755, 757, 955, 845, 352, 958, 274, 978, 873, 873, 974, 380, 718,
		380, 872, 872, 290, 1, 1, 89, 481, 501, 554, 786, 881, 881, 1, 202, 1, 273, 881, 881, 326, 326, 545, 842, 779, 805, 808, 975, 348, 744, 745,
		719, 719, 719, 719, 481, 501, 545, 787, 789, 801, 822, 842, 953, 762, 730, 730, 45, 67, 272, 278, 670, 803, 37, 872, 1, 239, 254, 254, 1, 38,
		286, 286, 254, 352, 1, 286, 286, 286, 254, 286, 309, 331, 728, 754, 444, 572, 488, 545, 787, 545, 787, 952, 952, 444, 572, 332, 728, 754, 330, 514,
		505, 332, 575, 699, 728, 754, 301, 6, 67, 331, 666, 807, 819, 803, 803, 410, 239, 352, 352, 246, 410, 352, 352, 352, 488, 872, 634, 489, 492, 497,
		513, 909, 47, 1, 239, 254, 254, 233, 1, 38, 286, 286, 254, 352, 1, 286, 286, 254, 302, 302, 457, 561, 561, 301, 164, 284, 285, 554, 670, 740,
		786, 821, 843, 284, 285, 740, 983, 983, 383, 780, 873, 780, 873, 719, 332, 514, 205, 812, 205, 812, 728, 754, 205, 205, 881, 881, 808, 575, 699, 718,
		754, 886, 762, 762, 571, 575, 886, 348, 1, 66, 278, 284, 326, 379, 394, 871, 718, 726, 327, 426, 1, 66, 284, 379, 871, 326, 842, 872, 872, 302,
		873, 953, 545, 787, 789, 801, 932, 932, 873, 885, 953, 954, 301, 301, 309, 125, 572, 572, 737, 974, 514, 89, 284, 285, 474, 481, 501, 512, 670, 728,
		740, 754, 881, 284, 474, 481, 881, 728, 205, 205, 330, 979, 296, 284, 343, 680, 718, 718, 284, 343, 659, 738, 571, 844, 571, 783, 2, 241, 559, 779,
		815, 842, 805, 805, 805, 559, 842, 842, 545, 737, 559, 779, 842, 805, 805, 805, 898, 50, 970, 570, 780, 570, 780, 953, 527, 348, 413, 309, 291, 300,
		50, 292, 292, 292, 292, 300, 310, 205, 975, 872, 872, 300, 872, 872, 284, 343, 512, 626, 680, 718, 740, 843, 718, 481, 762, 284, 343, 575, 627, 699,
		728, 754, 170, 845, 890, 890, 326, 919, 909, 919, 545, 801, 842, 805, 532, 489, 492, 497, 571, 727, 764, 818, 737, 545, 787, 737, 128, 489, 492, 497,
		560, 571, 727, 804, 818, 544, 762, 527, 996, 996, 299, 607, 189, 284, 977, 977, 284, 332, 373, 379, 332, 375, 379, 546, 329, 475, 503, 511, 329, 475,
		503, 511, 374, 879, 903, 898, 903, 898, 879, 985, 898, 330, 546, 348, 572, 572, 332, 977, 977, 908, 533, 908, 330, 571, 56, 727, 560, 804, 285, 285,
		302, 302, 873, 958, 873, 184, 641, 679, 641, 641, 659, 727, 738, 781, 546, 322, 595, 653, 595, 653, 653, 300, 300, 149, 653, 300, 872, 958, 872, 354,
		370, 379, 527, 354, 371, 379, 301, 681, 330, 300, 909, 290, 290, 290, 566, 297, 671, 805, 909, 979, 762, 805, 291, 872, 872, 872, 872, 66, 347, 410,
		476, 66, 347, 410, 476, 50, 463, 273, 253, 273, 253, 273, 253, 273, 253, 355, 445, 355, 445, 667, 718, 212, 659, 738, 781, 125, 571, 816, 513, 571,
		572, 804, 659, 844, 513, 571, 572, 804, 659, 844, 9, 260, 380, 594, 659, 738, 845, 355, 445, 952, 42, 974, 174, 572, 730, 755, 489, 730, 980, 980,
		980, 7, 514, 7, 510, 840, 300, 958, 300, 262, 272, 278, 300, 301, 670, 872, 908, 300, 872, 908, 489, 497, 532, 968, 969, 743, 284, 474, 743, 748,
		284, 474, 743, 748, 545, 787, 789, 801, 842, 789, 958, 522, 952, 952, 330, 514, 330, 332, 514, 763, 328, 334, 514, 763, 330, 514, 763, 330, 514, 332,
		618, 871, 873, 893, 871, 873, 327, 385, 386, 327, 863, 863, 163, 284, 285, 481, 501, 512, 554, 575, 728, 740, 754, 786, 821, 843, 546, 284, 285, 481,
		728, 754, 89, 284, 481, 580, 330, 330, 527, 872, 872, 730, 730, 755, 757, 755, 730, 755, 730, 730, 730, 730, 730, 730, 730, 730, 730, 719, 730, 730,
		873, 914, 873, 915, 909, 284, 285, 474, 481, 501, 512, 554, 786, 284, 285, 474, 481, 882, 882, 980, 951, 980, 951, 980, 300, 882, 343, 545, 730, 762,
		882, 908, 908, 300, 300, 301, 514, 658, 681, 965, 300, 301, 290, 301, 545, 514, 624, 951, 980, 983, 327, 327, 327, 516, 980, 951, 983, 989, 205, 444,
		951, 444, 951, 572, 805, 545, 205, 205, 975, 572, 572, 284, 958, 674, 833, 49, 784, 909, 782, 953, 481, 512, 554, 593, 786, 843, 501, 481, 959, 572,
		205, 205, 330, 546, 330, 546, 112, 481, 843, 728, 754, 380, 429, 728, 754, 488, 730, 730, 575, 543, 543, 380, 680, 699, 728, 754, 205, 570, 570, 205,
		68, 68, 279, 205, 205, 497, 513, 677, 727, 497, 489, 727, 737, 952, 737, 341, 404, 481, 512, 554, 574, 786, 803, 843, 786, 420, 481, 512, 554, 786,
		803, 843, 332, 807, 332, 719, 332, 332, 341, 481, 301, 882, 882, 301, 872, 872, 301, 871, 863, 863, 958, 165, 348, 497, 348, 871, 400, 420, 420, 420,
		726, 730, 755, 726, 572, 572, 390, 379, 379, 330, 812, 886, 886, 721, 728, 754, 728, 976, 74, 285, 570, 996, 285, 570, 996, 347, 410, 476, 712, 347,
		476, 782, 398, 93, 99, 124, 187, 729, 756, 784, 784, 784, 381, 742, 742, 784, 742, 742, 736, 742, 742, 742, 332, 719, 958, 332, 887, 958, 660, 887,
		728, 737, 754, 975, 730, 572, 572, 956, 354, 444, 474, 512, 686, 951, 516, 624, 909, 1, 328, 66, 328, 1, 66, 354, 444, 474, 687, 951, 66, 328,
		328, 327, 330, 546, 488, 514, 330, 546, 2, 730, 489, 730, 755, 489, 513, 730, 546, 546, 728, 754, 728, 754, 205, 755, 284, 285, 481, 512, 554, 740,
		786, 843, 284, 285, 546, 405, 489, 125, 125, 881, 881, 909, 624, 755, 757, 37, 37, 755, 560, 294, 294, 572, 755, 755, 730, 730, 572, 755, 730, 587,
		729, 171, 291, 291, 730, 300, 300, 300, 546, 738, 659, 473, 267, 488, 796, 268, 730, 392, 481, 342, 679, 342, 342, 396, 481, 342, 342, 342, 808, 205,
		205, 205, 205, 890, 890, 292, 292, 954, 545, 842, 873, 890, 890, 873, 14, 136, 14, 125, 740, 514, 779, 805, 808, 975, 808, 572, 956, 497, 328, 514,
		719, 718, 301, 302, 317, 317, 311, 294, 326, 650, 326, 330, 909, 979, 979, 488, 284, 285, 341, 391, 481, 512, 554, 670, 740, 786, 803, 843, 887, 66,
		347, 476, 908, 381, 454, 805, 481, 678, 679, 821, 501, 679, 481, 481, 284, 559, 66, 347, 476, 872, 559, 808, 284, 285, 341, 395, 481, 887, 808, 66,
		347, 476, 908, 808, 805, 808, 678, 679, 808, 66, 347, 476, 872, 953, 812, 868, 730, 812, 300, 302, 571, 572, 572, 755, 572, 572, 956, 976, 730, 736,
		755, 757, 718, 445, 575, 718, 730, 718, 19, 89, 284, 481, 501, 512, 554, 786, 803, 843, 638, 326, 454, 821, 638, 2, 69, 261, 454, 284, 477, 954,
		864, 864, 343, 718, 726, 730, 733, 736, 726, 730, 726, 730, 272, 278, 50, 903, 512, 554, 574, 786, 821, 843, 773, 186, 193, 205, 205, 294, 819, 773,
		420, 808, 741, 475, 671, 782, 239, 965, 984, 984, 984, 984, 984, 718, 726, 730, 845, 845, 70, 881, 881, 343, 488, 890, 890, 572, 572, 545, 561, 481,
		501, 512, 740, 481, 546, 546, 514, 760, 205, 572, 572, 572, 572, 572, 20, 278, 261, 535, 454, 812, 984, 974, 863, 885, 863, 885, 481, 512, 574, 545,
		787, 842, 873, 873, 873, 873, 795, 326, 326, 205, 125, 125, 3, 68, 125, 3, 14, 68, 125, 181, 279, 528, 474, 481, 512, 474, 481, 162, 546, 3,
		68, 328, 330, 546, 3, 68, 91, 180, 328, 330, 528, 546, 979, 979, 863, 885, 872, 872, 863, 571, 572, 572, 956, 342, 363, 474, 679, 780, 679, 364,
		342, 474, 780, 72, 901, 205, 290, 205, 881, 885, 881, 284, 501, 512, 882, 638, 481, 284, 481, 501, 742, 638, 638, 808, 808, 808, 480, 284, 301, 549,
		330, 742, 882, 872, 773, 872, 773, 344, 271, 873, 873, 588, 328, 718, 718, 328, 589, 873, 873, 205, 474, 512, 640, 881, 474, 881, 6, 67, 126, 526,
		786, 807, 719, 719, 511, 330, 493, 671, 329, 475, 511, 301, 730, 978, 909, 909, 958, 978, 6, 67, 71, 126, 454, 500, 805, 38, 888, 207, 808, 300,
		301, 290, 301, 568, 673, 844, 882, 489, 513, 571, 330, 730, 755, 757, 882, 545, 727, 966, 544, 545, 545, 762, 545, 762, 789, 545, 762, 789, 762, 967,
		920, 882, 921, 864, 864, 290, 730, 909, 909, 685, 544, 489, 50, 50, 489, 491, 513, 568, 673, 781, 844, 662, 669, 484, 488, 992, 953, 327, 327, 327,
		327, 410, 91, 98, 98, 327, 284, 326, 354, 368, 881, 905, 905, 326, 354, 369, 881, 959, 730, 805, 474, 679, 889, 919, 474, 679, 889, 909, 919, 513,
		568, 572, 573, 673, 844, 572, 975, 572, 956, 875, 979, 490, 513, 568, 781, 844, 975, 956, 330, 355, 575, 728, 328, 344, 881, 878, 979, 878, 881, 805,
		808, 779, 762, 980, 983, 782, 293, 290, 935, 936, 979, 717, 752, 890, 545, 757, 762, 789, 801, 789, 805, 730, 757, 575, 730, 726, 757, 789, 975, 890,
		909, 978, 805, 808, 975, 956, 290, 290, 890, 890, 622, 488, 572, 939, 572, 939, 890, 890, 543, 544, 900, 718, 726, 730, 735, 736, 726, 890, 949, 572,
		572, 890, 67, 77, 345, 488, 544, 786, 331, 331, 544, 544, 544, 544, 514, 544, 514, 544, 544, 6, 331, 6, 786, 544, 328, 6, 126, 328, 786, 843,
		843, 328, 786, 843, 6, 331, 331, 489, 497, 513, 677, 727, 841, 545, 787, 545, 787, 822, 737, 545, 787, 789, 801, 842, 737, 789, 545, 787, 842, 545,
		787, 842, 595, 572, 125, 572, 572, 884, 884, 125, 572, 873, 873, 205, 574, 872, 872, 873, 888, 873, 572, 755, 572, 330, 124, 134, 252, 251, 806, 381,
		465, 465, 741, 741, 252, 251, 252, 251, 252, 251, 465, 741, 251, 251, 251, 465, 741, 252, 251, 251, 251, 252, 251, 465, 331, 252, 252, 251, 514, 252,
		251, 465, 465, 741, 12, 291, 803, 331, 252, 249, 806, 251, 251, 465, 741, 381, 465, 741, 741, 465, 741, 545, 842, 718, 726, 730, 330, 952, 952, 671,
		671, 542, 803, 475, 542, 330, 419, 464, 806, 381, 381, 381, 290, 290, 290, 290, 290, 1, 66, 201, 290, 252, 252, 290, 290, 290, 290, 290, 290, 290,
		1, 66, 253, 291, 310, 310, 310, 344, 866, 50, 870, 545, 787, 198, 13, 171, 259, 572, 572, 996, 996, 50, 572, 572, 956, 976, 545, 762, 812, 474,
		599, 697, 696, 474, 599, 341, 965, 341, 302, 873, 958, 873, 99, 114, 187, 729, 781, 911, 779, 805, 808, 544, 736, 808, 662, 273, 955, 662, 662, 662,
		959, 805, 808, 805, 808, 662, 544, 545, 575, 680, 699, 718, 787, 789, 798, 822, 842, 575, 680, 822, 974, 909, 330, 340, 514, 763, 330, 763, 977, 977,
		507, 662, 545, 762, 787, 842, 738, 975, 956, 292, 292, 975, 560, 488, 572, 572, 326, 326, 974, 808, 572, 572, 728, 728, 955, 327, 327, 343, 2, 91,
		98, 98, 326, 326, 873, 873, 125, 125, 125, 125, 979, 326, 326, 909, 952, 952, 997, 198, 343, 545, 762, 285, 326, 608, 670, 843, 285, 326, 326, 155,
		292, 292, 292, 311, 311, 311, 311, 292, 311, 311, 311, 311, 83, 292, 3, 68, 91, 292, 3, 68, 91, 292, 528, 311, 326, 311, 311, 311, 292, 292,
		546, 727, 911, 488, 637, 737, 974, 955, 955, 474, 512, 640, 821, 474, 560, 786, 489, 497, 513, 571, 818, 844, 727, 737, 311, 311, 311, 311, 730, 762,
		545, 787, 816, 560, 804, 975, 839, 545, 787, 842, 805, 808, 873, 873, 452, 678, 729, 756, 977, 977, 328, 328, 348, 889, 889, 980, 330, 754, 332, 514,
		719, 332, 514, 514, 569, 911, 514, 755, 757, 300, 812, 410, 631, 728, 952, 632, 728, 754, 952, 262, 718, 730, 187, 718, 962, 273, 67, 269, 786, 807,
		819, 126, 544, 352, 559, 979, 978, 352, 332, 656, 681, 292, 292, 311, 311, 311, 311, 260, 270, 677, 482, 488, 744, 744, 489, 8, 440, 217, 217, 37,
		217, 186, 193, 217, 37, 958, 205, 291, 310, 301, 653, 572, 779, 805, 808, 975, 572, 956, 979, 514, 575, 157, 783, 488, 842, 805, 808, 783, 671, 977,
		977, 741, 205, 301, 572, 730, 755, 757, 572, 730, 291, 310, 572, 572, 782, 812, 50, 276, 992, 995, 977, 977, 511, 695, 782, 284, 454, 500, 640, 740,
		937, 352, 286, 286, 286, 286, 286, 286, 286, 511, 595, 653, 284, 454, 938, 454, 317, 317, 317, 317, 317, 317, 317, 317, 317, 958, 671, 671, 475, 475,
		953, 458, 699, 940, 737, 511, 329, 475, 511, 595, 329, 475, 327, 327, 616, 653, 561, 561, 561, 511, 653, 671, 511, 940, 474, 570, 327, 616, 671, 327,
		474, 616, 699, 728, 754, 329, 475, 511, 595, 616, 616, 616, 616, 545, 699, 787, 789, 816, 842, 329, 475, 503, 511, 653, 979, 881, 885, 420, 782, 958,
		881, 420, 885, 572, 873, 873, 909, 909, 882, 882, 545, 572, 842, 976, 872, 888, 205, 958, 955, 955, 872, 726, 50, 784, 572, 766, 924, 978, 882, 882,
		909, 909, 872, 873, 872, 873, 420, 481, 555, 786, 843, 807, 420, 742, 420, 294, 294, 782, 979, 671, 329, 475, 493, 511, 653, 956, 595, 310, 302, 144,
		572, 571, 572, 805, 808, 728, 300, 572, 572, 863, 863, 343, 680, 699, 718, 488, 561, 343, 909, 812, 782, 812, 661, 205, 511, 653, 975, 975, 956, 784,
		784, 897, 784, 670, 871, 908, 918, 741, 871, 908, 951, 951, 214, 544, 546, 215, 344, 572, 572, 481, 805, 737, 737, 671, 974, 653, 310, 291, 310, 754,
		205, 89, 284, 330, 474, 481, 501, 748, 786, 843, 328, 579, 284, 474, 481, 748, 330, 257, 326, 454, 1, 286, 286, 545, 454, 454, 741, 882, 166, 344,
		513, 544, 677, 727, 50, 205, 882, 292, 481, 99, 330, 779, 805, 808, 975, 956, 959, 751, 485, 488, 805, 50, 454, 512, 843, 679, 821, 786, 843, 454,
		829, 560, 802, 845, 845, 812, 812, 762, 749, 762, 750, 980, 983, 980, 880, 330, 330, 66, 235, 239, 66, 955, 904, 960, 882, 882, 68, 92, 99, 330,
		546, 3, 68, 3, 68, 292, 53, 958, 292, 292, 68, 179, 330, 103, 918, 292, 104, 504, 730, 4, 872, 872, 89, 126, 481, 512, 554, 668, 699, 728,
		754, 786, 803, 843, 638, 285, 843, 570, 570, 285, 570, 728, 754, 773, 774, 882, 773, 775, 842, 880, 300, 222, 284, 740, 427, 545, 727, 146, 349, 545,
		699, 789, 816, 842, 762, 561, 762, 376, 379, 931, 873, 514, 681, 873, 705, 377, 931, 300, 285, 420, 570, 640, 355, 512, 599, 329, 475, 678, 679, 679,
		641, 679, 512, 678, 679, 616, 512, 599, 678, 679, 616, 285, 420, 640, 599, 679, 327, 327, 348, 456, 511, 702, 599, 511, 511, 329, 475, 493, 329, 475,
		493, 503, 511, 576, 329, 475, 493, 511, 702, 445, 329, 475, 702, 561, 678, 679, 679, 329, 348, 475, 553, 329, 475, 678, 355, 420, 575, 653, 699, 728,
		754, 285, 574, 830, 624, 554, 786, 843, 821, 554, 786, 821, 843, 381, 554, 786, 821, 843, 481, 512, 554, 786, 803, 843, 624, 285, 786, 805, 808, 805,
		808, 805, 805, 481, 381, 527, 919, 919, 205, 300, 681, 514, 545, 842, 572, 805, 805, 959, 653, 671, 671, 953, 816, 842, 872, 872, 909, 979, 979, 737,
		205, 718, 300, 343, 680, 718, 918, 955, 488, 343, 380, 918, 425, 543, 980, 812, 953, 812, 284, 512, 625, 680, 718, 740, 843, 718, 481, 726, 730, 545,
		575, 653, 680, 699, 702, 718, 728, 754, 787, 789, 797, 801, 822, 842, 575, 653, 680, 822, 284, 432, 575, 699, 718, 728, 754, 873, 873, 454, 335, 763,
		193, 278, 284, 326, 451, 887, 559, 843, 559, 13, 381, 843, 559, 814, 559, 559, 559, 326, 887, 892, 890, 890, 327, 571, 572, 976, 332, 330, 330, 489,
		497, 513, 571, 647, 764, 804, 332, 300, 205, 444, 444, 909, 326, 326, 781, 834, 979, 737, 953, 953, 205, 545, 762, 789, 516, 516, 560, 890, 488, 677,
		890, 545, 779, 975, 812, 205, 332, 643, 332, 599, 909, 979, 909, 979, 872, 909, 979, 909, 979, 872, 492, 497, 488, 329, 475, 493, 503, 511, 503, 532,
		329, 475, 493, 511, 545, 787, 805, 205, 67, 126, 255, 572, 572, 953, 124, 209, 302, 344, 344, 730, 544, 727, 545, 787, 789, 801, 842, 545, 787, 789,
		801, 762, 762, 545, 789, 545, 762, 545, 787, 801, 842, 801, 545, 762, 789, 545, 737, 762, 789, 545, 787, 842, 699, 838, 514, 699, 726, 730, 757, 726,
		730, 727, 727, 754, 728, 754, 653, 726, 730, 728, 572, 956, 976, 488, 762, 805, 805, 808, 975, 584, 521, 727, 737, 984, 984, 106, 501, 107, 680, 699,
		754, 932, 932, 953, 953, 953, 910, 910, 975, 956, 348, 511, 699, 329, 475, 329, 475, 329, 475, 493, 511, 329, 475, 493, 511, 329, 475, 329, 475, 329,
		475, 329, 475, 699, 816, 842, 805, 956, 747, 546, 746, 918, 560, 890, 890, 671, 213, 205, 572, 956, 572, 512, 688, 728, 754, 284, 740, 284, 888, 290,
		290, 205, 205, 326, 326, 782, 762, 842, 762, 636, 619, 7, 219, 234, 546, 728, 754, 728, 737, 313, 316, 315, 728, 754, 527, 488, 873, 873, 863, 863,
		572, 327, 327, 952, 909, 285, 570, 780, 786, 821, 843, 285, 570, 744, 780, 205, 737, 754, 546, 488, 302, 302, 302, 812, 781, 959, 956, 205, 890, 890,
		781, 805, 300, 302, 302, 302, 300, 302, 302, 572, 572, 956, 284, 285, 740, 545, 816, 842, 205, 205, 284, 285, 741, 872, 872, 571, 844, 571, 844, 571,
		844, 558, 300, 302, 302, 873, 873, 348, 572, 872, 909, 872, 909, 890, 890, 205, 572, 779, 805, 808, 975, 572, 805, 956, 979, 207, 280, 331, 719, 863,
		873, 873, 210, 568, 781, 465, 465, 465, 381, 381, 465, 381, 639, 730, 639, 730, 757, 730, 757, 730, 730, 757, 639, 639, 639, 730, 730, 639, 465, 730,
		757, 639, 381, 804, 755, 757, 757, 465, 639, 639, 757, 730, 730, 757, 730, 757, 757, 730, 757, 757, 755, 757, 755, 757, 757, 639, 639, 717, 755, 757,
		757, 730, 730, 736, 757, 755, 757, 639, 639, 381, 465, 741, 741, 741, 730, 757, 489, 757, 757, 757, 741, 757, 741, 741, 757, 757, 717, 514, 544, 717,
		757, 741, 639, 639, 755, 730, 755, 639, 639, 755, 639, 741, 755, 639, 639, 639, 639, 639, 730, 639, 639, 639, 639, 639, 639, 757, 639, 639, 757, 639,
		755, 757, 639, 489, 489, 804, 260, 639, 730, 639, 639, 639, 757, 730, 730, 730, 757, 730, 757, 639, 804, 757, 465, 639, 639, 639, 639, 639, 639, 639,
		639, 489, 804, 730, 757, 639, 639, 639, 757, 730, 736, 757, 601, 894, 980, 983, 902, 785, 785, 330, 803, 328, 542, 330, 754, 328, 514, 542, 158, 290,
		290, 317, 317, 317, 863, 953, 718, 975, 965, 979, 979, 719, 737, 290, 290, 290, 290, 290, 992, 882, 882, 481, 500, 501, 512, 615, 740, 786, 803, 843,
		254, 38, 254, 290, 1, 1, 290, 290, 572, 844, 890, 890, 572, 572, 844, 890, 890, 572, 317, 317, 302, 302, 978, 978, 572, 572, 864, 864, 863, 863,
		863, 317, 317, 317, 762, 671, 343, 380, 737, 737, 343, 132, 980, 254, 980, 352, 980, 980, 980, 980, 203, 730, 730, 736, 741, 755, 571, 818, 844, 489,
		513, 571, 818, 844, 489, 497, 513, 571, 818, 844, 489, 497, 560, 571, 804, 818, 206, 206, 730, 755, 842, 206, 206, 572, 572, 730, 730, 736, 741, 755,
		718, 572, 572, 890, 890, 317, 317, 863, 174, 174, 37, 37, 37, 37, 37, 174, 174, 37, 286, 37, 38, 239, 239, 1, 239, 273, 254, 544, 290, 352,
		352, 352, 352, 37, 37, 37, 174, 286, 37, 959, 37, 174, 290, 301, 317, 317, 317, 352, 133, 352, 352, 352, 352, 783, 488, 783, 975, 717, 730, 719,
		301, 317, 317, 317, 290, 290, 717, 975, 356, 292, 292, 46, 410, 253, 254, 719, 239, 37, 352, 980, 253, 253, 253, 992, 992, 481, 575, 754, 828, 959,
		358, 420, 546, 353, 360, 359, 420, 353, 420, 332, 514, 718, 205, 911, 205, 911, 50, 205, 205, 671, 671, 493, 475, 493, 785, 785, 762, 762, 762, 785,
		785, 379, 889, 889, 328, 728, 754, 572, 572, 310, 591, 293, 591, 329, 475, 493, 511, 329, 475, 493, 182, 272, 291, 872, 889, 872, 889, 570, 341, 481,
		512, 341, 481, 35, 99, 124, 187, 781, 239, 781, 895, 842, 352, 736, 328, 465, 856, 890, 488, 890, 514, 284, 284, 835, 836, 303, 317, 317, 317, 317,
		318, 318, 317, 317, 317, 317, 317, 318, 318, 317, 317, 318, 318, 317, 317, 318, 318, 318, 680, 891, 975, 730, 755, 755, 757, 290, 290, 290, 290, 290,
		290, 290, 94, 99, 187, 729, 756, 911, 805, 808, 842, 560, 893, 808, 516, 805, 808, 641, 352, 352, 742, 462, 381, 741, 124, 357, 781, 781, 822, 329,
		475, 493, 503, 511, 329, 475, 493, 503, 329, 475, 493, 511, 329, 475, 493, 680, 718, 575, 816, 281, 730, 530, 729, 756, 285, 326, 406, 512, 554, 786,
		821, 843, 514, 755, 757, 730, 755, 757, 332, 332, 332, 514, 285, 326, 326, 205, 550, 56, 78, 2, 953, 953, 953, 754, 757, 730, 755, 873, 873, 124,
		205, 908, 908, 205, 292, 292, 341, 252, 88, 341, 292, 292, 292, 737, 882, 488, 908, 908, 488, 908, 908, 882, 292, 805, 2, 781, 730, 497, 769, 513,
		769, 769, 717, 755, 497, 497, 489, 489, 513, 329, 475, 511, 329, 475, 329, 475, 329, 475, 493, 511, 329, 475, 493, 329, 475, 290, 290, 290, 372, 568,
		727, 781, 757, 513, 328, 328, 737, 757, 804, 513, 652, 781, 381, 736, 730, 736, 808, 812, 726, 730, 89, 501, 730, 730, 755, 757, 730, 253, 730, 736,
		730, 736, 730, 736, 253, 730, 736, 730, 736, 730, 736, 730, 736, 730, 757, 730, 757, 724, 729, 730, 736, 730, 736, 756, 730, 736, 888, 905, 379, 379,
		958, 239, 1, 66, 204, 532, 532, 532, 186, 193, 1, 66, 1, 1, 205, 975, 527, 842, 842, 515, 717, 741, 514, 717, 528, 741, 56, 330, 489, 328,
		330, 328, 551, 953, 754, 330, 506, 514, 546, 488, 958, 805, 805, 898, 50, 782, 229, 728, 728, 754, 890, 890, 873, 873, 873, 873, 974, 859, 290, 572,
		783, 783, 545, 787, 805, 572, 976, 284, 773, 777, 561, 773, 890, 453, 908, 908, 572, 727, 488, 955, 290, 284, 481, 329, 475, 329, 475, 671, 671, 329,
		475, 511, 329, 475, 290, 284, 329, 475, 493, 503, 511, 329, 475, 493, 503, 511, 576, 545, 952, 762, 754, 952, 329, 475, 595, 287, 329, 475, 493, 503,
		511, 576, 595, 699, 702, 762, 493, 595, 329, 475, 493, 503, 511, 329, 475, 493, 503, 493, 653, 595, 701, 701, 493, 653, 329, 475, 493, 503, 511, 576,
		595, 702, 737, 762, 493, 576, 410, 284, 481, 501, 512, 730, 730, 638, 730, 757, 638, 730, 736, 755, 757, 284, 329, 475, 527, 763, 763, 763, 727, 754,
		737, 727, 754, 329, 475, 292, 545, 787, 842, 876, 1, 545, 787, 545, 787, 842, 545, 787, 789, 545, 787, 789, 378, 7, 421, 7, 546, 727, 546, 497,
		513, 677, 727, 728, 737, 754, 378, 545, 787, 789, 801, 842, 545, 737, 787, 789, 801, 842, 348, 348, 680, 718, 572, 572, 481, 554, 786, 125, 125, 737,
		737, 344, 344, 469, 572, 572, 470, 737, 737, 572, 813, 976, 804, 844, 804, 804, 804, 804, 730, 837, 544, 293, 278, 670, 545, 787, 805, 808, 842, 545,
		787, 789, 842, 789, 545, 787, 789, 801, 842, 545, 787, 789, 842, 546, 50, 25, 260, 279, 330, 125, 125, 544, 26, 330, 544, 719, 908, 908, 873, 873,
		454, 454, 572, 976, 289, 717, 329, 475, 511, 329, 475, 511, 755, 757, 755, 757, 762, 545, 545, 737, 787, 845, 755, 757, 755, 757, 755, 757, 762, 545,
		787, 789, 801, 822, 842, 545, 787, 822, 730, 845, 757, 755, 757, 545, 787, 822, 545, 822, 545, 755, 757, 545, 822, 730, 727, 737, 545, 787, 789, 801,
		842, 737, 789, 572, 976, 715, 671, 954, 342, 474, 709, 330, 342, 474, 514, 624, 327, 327, 327, 327, 327, 327, 327, 327, 327, 327, 327, 327, 328, 343,
		680, 699, 718, 816, 545, 816, 842, 737, 561, 737, 762, 842, 343, 784, 864, 284, 864, 784, 864, 7, 7, 50, 262, 476, 476, 919, 919, 784, 784, 783,
		783, 873, 881, 873, 881, 288, 737, 329, 475, 493, 511, 702, 329, 475, 493, 762, 329, 475, 493, 381, 979, 329, 475, 493, 511, 152, 380, 728, 754, 918,
		653, 380, 918, 863, 863, 317, 317, 317, 871, 910, 871, 602, 662, 662, 546, 728, 754, 908, 805, 890, 890, 812, 812, 908, 805, 808, 728, 754, 326, 611,
		871, 918, 955, 314, 326, 871, 842, 560, 172, 328, 763, 328, 763, 50, 124, 277, 331, 908, 908, 886, 886, 508, 317, 317, 317, 317, 783, 861, 488, 783,
		205, 205, 979, 979, 560, 379, 872, 885, 889, 863, 379, 872, 889, 205, 205, 979, 572, 572, 572, 890, 890, 572, 572, 572, 3, 68, 95, 330, 514, 546,
		763, 328, 328, 328, 328, 3, 68, 96, 330, 514, 546, 763, 955, 488, 328, 125, 279, 125, 279, 328, 328, 328, 328, 328, 328, 762, 762, 762, 762, 545,
		762, 805, 572, 572, 545, 975, 805, 393, 572, 768, 293, 284, 408, 546, 633, 702, 812, 812, 784, 784, 409, 599, 599, 984, 984, 284, 481, 512, 554, 786,
		843, 638, 638, 284, 293, 343, 890, 890, 890, 261, 261, 309, 309, 291, 309, 309, 2, 108, 489, 513, 571, 545, 789, 805, 779, 805, 808, 975, 332, 908,
		908, 954, 954, 952, 954, 952, 728, 918, 728, 572, 767, 572, 514, 755, 514, 514, 719, 887, 845, 845, 887, 13, 171, 259, 172, 599, 13, 698, 599, 225,
		332, 344, 514, 719, 763, 719, 958, 332, 344, 763, 344, 763, 899, 344, 719, 763, 309, 2, 240, 730, 737, 728, 737, 754, 737, 754, 727, 737, 754, 737,
		572, 572, 572, 89, 284, 326, 481, 501, 512, 554, 670, 786, 843, 638, 638, 514, 761, 488, 326, 2, 242, 890, 572, 939, 572, 939, 890, 544, 717, 727,
		823, 755, 757, 545, 755, 757, 762, 842, 545, 787, 789, 822, 842, 822, 545, 787, 789, 801, 822, 842, 755, 757, 822, 822, 845, 845, 822, 680, 755, 757,
		755, 757, 762, 545, 755, 757, 762, 545, 787, 789, 822, 842, 822, 755, 755, 545, 787, 789, 329, 475, 493, 503, 511, 329, 475, 493, 503, 511, 576, 737,
		545, 816, 842, 545, 755, 757, 545, 787, 789, 822, 842, 762, 545, 762, 787, 789, 801, 816, 822, 842, 545, 545, 762, 789, 842, 789, 805, 755, 545, 755,
		757, 545, 789, 842, 789, 762, 545, 762, 822, 822, 737, 822, 753, 717, 32, 193, 31, 905, 905, 681, 300, 300, 328, 330, 546, 763, 763, 272, 278, 330,
		546, 544, 783, 783, 783, 783, 783, 783, 783, 783, 783, 380, 492, 497, 727, 737, 737, 737, 326, 326, 560, 727, 488, 560, 737, 380, 492, 497, 727, 918,
		737, 737, 572, 572, 680, 326, 546, 546, 3, 326, 528, 332, 719, 958, 727, 918, 488, 918, 977, 977, 3, 91, 330, 311, 311, 311, 311, 311, 311, 292,
		311, 3, 91, 447, 864, 864, 980, 50, 950, 727, 737, 737, 300, 332, 344, 446, 763, 344, 763, 332, 344, 763, 704, 763, 344, 763, 572, 572, 726, 726,
		730, 726, 730, 563, 500, 330, 546, 561, 561, 294, 294, 514, 514, 545, 494, 514, 730, 730, 755, 757, 730, 730, 730, 730, 757, 730, 730, 755, 755, 757,
		730, 730, 755, 757, 730, 755, 757, 730, 730, 730, 730, 736, 284, 554, 786, 843, 284, 290, 290, 284, 285, 481, 501, 512, 518, 554, 740, 786, 843, 881,
		908, 740, 554, 786, 843, 481, 881, 908, 873, 881, 885, 885, 873, 881, 940, 940, 958, 344, 341, 341, 677, 444, 444, 284, 284, 284, 326, 529, 670, 740,
		843, 1, 638, 638, 843, 192, 284, 329, 475, 467, 783, 302, 302, 293, 302, 974, 135, 293, 293, 332, 582, 719, 763, 763, 488, 737, 737, 293, 572, 765,
		975, 293, 302, 293, 293, 302, 293, 293, 783, 783, 205, 524, 293, 309, 898, 50, 293, 50, 352, 233, 741, 546, 89, 727, 737, 572, 572, 978, 978, 889,
		889, 886, 886, 50, 546, 546, 786, 378, 378, 327, 873, 909, 873, 703, 911, 545, 730, 174, 702, 996, 996, 730, 736, 285, 481, 501, 512, 554, 670, 786,
		821, 843, 512, 481, 501, 512, 332, 554, 786, 843, 662, 546, 546, 285, 481, 821, 206, 206, 846, 545, 787, 842, 992, 847, 309, 952, 952, 73, 489, 513,
		571, 818, 844, 309, 728, 754, 326, 728, 754, 89, 285, 512, 554, 570, 640, 728, 786, 843, 616, 616, 285, 546, 570, 640, 754, 728, 754, 512, 699, 728,
		754, 481, 501, 512, 481, 329, 475, 493, 503, 511, 329, 475, 493, 503, 511, 329, 475, 493, 503, 511, 329, 475, 493, 503, 511, 996, 996, 730, 755, 757,
		309, 205, 332, 332, 730, 755, 757, 284, 285, 284, 285, 653, 758, 330, 329, 475, 493, 503, 511, 329, 475, 493, 503, 572, 572, 956, 958, 982, 273, 253,
		292, 292, 292, 332, 623, 653, 292, 292, 292, 292, 292, 292, 292, 996, 996, 996, 996, 762, 842, 572, 572, 527, 284, 284, 326, 918, 326, 545, 762, 789,
		779, 805, 975, 762, 762, 332, 514, 514, 719, 332, 327, 50, 336, 763, 66, 278, 332, 351, 581, 881, 235, 239, 958, 66, 332, 351, 881, 332, 754, 332,
		341, 341, 89, 996, 996, 527, 544, 474, 474, 441, 284, 438, 996, 435, 284, 996, 442, 380, 575, 699, 718, 728, 754, 488, 301, 300, 301, 227, 332, 344,
		514, 728, 754, 763, 544, 344, 514, 543, 543, 543, 572, 730, 755, 757, 572, 730, 332, 344, 514, 344, 514, 728, 754, 763, 380, 575, 728, 380, 575, 728,
		699, 718, 728, 754, 996, 996, 527, 330, 654, 514, 544, 546, 330, 330, 330, 727, 890, 890, 285, 330, 333, 512, 527, 763, 332, 514, 330, 763, 285, 763,
		205, 546, 171, 278, 172, 300, 301, 300, 301, 671, 552, 719, 890, 890, 977, 996, 977, 996, 292, 292, 292, 332, 54, 727, 958, 332, 3, 68, 125, 292,
		3, 14, 68, 125, 178, 279, 292, 292, 754, 454, 328, 382, 546, 481, 512, 554, 786, 481, 742, 742, 330, 474, 516, 516, 474, 89, 481, 501, 512, 786,
		843, 478, 302, 302, 302, 381, 560, 327, 327, 330, 332, 832, 996, 996, 332, 514, 578, 719, 332, 514, 444, 527, 444, 309, 779, 975, 292, 292, 292, 863,
		863, 863, 965, 994, 719, 28, 881, 881, 961, 300, 301, 381, 730, 757, 918, 757, 730, 730, 730, 730, 757, 918, 302, 728, 737, 754, 872, 872, 873, 919,
		909, 909, 873, 919, 205, 812, 812, 885, 885, 327, 953, 29, 171, 205, 171, 956, 975, 205, 572, 572, 56, 323, 489, 492, 497, 513, 503, 503, 193, 174,
		532, 327, 327, 332, 514, 577, 763, 763, 332, 763, 328, 330, 583, 763, 330, 284, 842, 343, 488, 343, 284, 284, 300, 782, 879, 879, 3, 68, 519, 546,
		3, 68, 91, 177, 330, 546, 754, 574, 153, 262, 272, 278, 326, 546, 670, 908, 872, 332, 328, 763, 328, 763, 908, 872, 156, 975, 718, 730, 379, 889,
		916, 940, 379, 889, 917, 940, 291, 3, 68, 125, 3, 14, 68, 125, 528, 50, 965, 2, 68, 243, 125, 279, 125, 279, 125, 125, 125, 125, 3, 125,
		528, 3, 125, 528, 952, 125, 14, 125, 528, 528, 57, 545, 699, 727, 737, 754, 787, 789, 805, 842, 545, 699, 727, 762, 787, 789, 801, 842, 737, 677,
		727, 290, 290, 290, 290, 290, 292, 653, 671, 475, 475, 514, 544, 596, 291, 143, 304, 318, 317, 318, 318, 317, 317, 318, 317, 317, 317, 317, 317, 317,
		317, 317, 318, 863, 812, 290, 290, 290, 284, 285, 500, 554, 640, 740, 843, 492, 659, 671, 546, 284, 881, 881, 238, 516, 58, 873, 873, 873, 873, 330,
		332, 554, 574, 763, 786, 821, 328, 330, 416, 763, 330, 332, 763, 754, 763, 290, 911, 925, 911, 326, 546, 14, 125, 125, 728, 754, 546, 300, 343, 890,
		488, 205, 979, 979, 343, 890, 294, 292, 330, 330, 341, 341, 574, 284, 474, 574, 474, 330, 545, 699, 816, 842, 488, 205, 205, 285, 570, 285, 754, 422,
		783, 783, 444, 444, 730, 481, 554, 574, 786, 803, 821, 843, 512, 545, 762, 787, 842, 821, 125, 125, 329, 475, 511, 592, 595, 727, 653, 327, 98, 329,
		475, 493, 503, 511, 595, 329, 475, 493, 503, 511, 737, 98, 737, 595, 653, 489, 513, 571, 818, 844, 50, 352, 353, 820, 780, 780, 780, 780, 780, 780,
		780, 780, 194, 329, 475, 493, 511, 576, 595, 728, 754, 845, 653, 671, 110, 740, 719, 514, 744, 329, 475, 493, 511, 932, 932, 125, 125, 561, 932, 932,
		445, 445, 532, 511, 493, 329, 475, 56, 744, 873, 873, 420, 481, 554, 562, 786, 821, 843, 420, 332, 420, 779, 808, 808, 420, 958, 979, 301, 516, 782,
		782, 782, 328, 330, 284, 341, 748, 284, 341, 748, 306, 318, 318, 317, 318, 317, 317, 317, 318, 317, 317, 317, 572, 572, 284, 285, 481, 501, 512, 554,
		620, 670, 740, 786, 843, 638, 638, 300, 284, 285, 621, 436, 560, 727, 159, 514, 418, 307, 317, 317, 318, 318, 318, 318, 317, 317, 317, 317, 317, 959,
		958, 343, 380, 497, 718, 809, 918, 488, 730, 343, 380, 918, 546, 778, 488, 497, 513, 503, 503, 513, 329, 475, 680, 694, 699, 783, 329, 475, 493, 503,
		511, 329, 475, 493, 503, 511, 329, 475, 329, 475, 329, 475, 493, 511, 329, 475, 493, 511, 475, 680, 783, 85, 1, 889, 871, 326, 908, 332, 741, 330,
		520, 889, 871, 908, 330, 540, 290, 290, 310, 291, 310, 873, 881, 545, 787, 842, 873, 881, 978, 545, 762, 789, 805, 762, 570, 595, 595, 671, 570, 207,
		284, 380, 481, 512, 546, 554, 575, 699, 728, 786, 843, 492, 792, 575, 575, 575, 728, 380, 575, 728, 284, 479, 546, 896, 568, 673, 844, 728, 754, 728,
		397, 783, 355, 327, 428, 205, 842, 284, 284, 872, 881, 889, 872, 889, 872, 881, 889, 872, 889, 560, 890, 919, 919, 890, 958, 124, 331, 648, 89, 481,
		501, 512, 554, 565, 670, 786, 803, 821, 843, 638, 332, 953, 379, 572, 572, 294, 294, 292, 292, 294, 292, 779, 545, 787, 545, 787, 836, 545, 787, 789,
		836, 842, 545, 787, 789, 836, 842, 801, 836, 545, 787, 789, 801, 842, 952, 545, 787, 789, 801, 842, 952, 545, 787, 730, 730, 755, 66, 66, 348, 574,
		783, 512, 689, 512, 702, 599, 678, 679, 679, 679, 512, 678, 679, 260, 279, 726, 730, 952, 952, 599, 261, 514, 514, 511, 599, 329, 475, 493, 503, 511,
		329, 475, 493, 503, 511, 511, 572, 975, 572, 956, 863, 863, 50, 353, 50, 205, 160, 328, 763, 763, 205, 305, 318, 318, 317, 318, 317, 317, 317, 318,
		317, 317, 800, 779, 975, 748, 743, 748, 743, 572, 755, 572, 628, 728, 754, 488, 546, 845, 474, 327, 327, 474, 872, 872, 1, 66, 254, 252, 1, 66,
		882, 882, 205, 575, 653, 561, 873, 873, 873, 881, 940, 873, 881, 940, 872, 872, 979, 979, 773, 776, 888, 779, 805, 808, 773, 881, 881, 728, 754, 284,
		481, 501, 410, 881, 881, 50, 511, 974, 881, 205, 881, 290, 290, 872, 872, 630, 511, 284, 341, 748, 743, 284, 341, 748, 743, 881, 343, 881, 380, 380,
		284, 679, 930, 743, 347, 410, 476, 930, 743, 347, 476, 474, 512, 481, 474, 543, 821, 554, 786, 50, 410, 598, 381, 352, 353, 352, 353, 410, 381, 352,
		353, 352, 353, 381, 415, 782, 545, 762, 545, 762, 737, 572, 572, 772, 781, 757, 124, 489, 572, 771, 769, 489, 497, 513, 769, 806, 730, 124, 489, 572,
		770, 769, 489, 497, 513, 769, 804, 806, 730, 845, 845, 845, 572, 205, 205, 572, 309, 739, 754, 737, 737, 754, 737, 205, 326, 171, 728, 728, 754, 205,
		301, 882, 284, 599, 624, 327, 327, 327, 327, 599, 923, 572, 474, 701, 330, 474, 701, 326, 437, 977, 326, 977, 433, 728, 754, 728, 843, 570, 780, 570,
		780, 327, 783, 718, 702, 329, 475, 493, 503, 511, 329, 475, 493, 503, 511, 737, 872, 881, 872, 881, 890, 890, 130, 497, 571, 727, 844, 737, 804, 908,
		205, 980, 145, 908, 979, 570, 780, 873, 570, 780, 873, 302, 544, 330, 763, 763, 205, 205, 560, 326, 610, 670, 908, 977, 741, 908, 977, 326, 755, 873,
		888, 873, 284, 284, 236, 653, 728, 237, 344, 544, 546, 911, 330, 328, 905, 352, 474, 748, 919, 474, 748, 919, 301, 572, 572, 958, 958, 953, 718, 454,
		545, 787, 842, 977, 977, 328, 869, 885, 885, 332, 344, 351, 233, 1, 233, 233, 719, 1, 1, 719, 233, 719, 958, 332, 344, 351, 344, 330, 546, 718,
		284, 330, 560, 640, 663, 740, 890, 955, 492, 659, 664, 890, 205, 284, 889, 889, 205, 779, 975, 572, 730, 572, 872, 872, 727, 728, 754, 284, 284, 205,
		330, 7, 7, 492, 497, 546, 572, 727, 572, 330, 974, 310, 291, 310, 974, 544, 641, 641, 489, 571, 818, 489, 571, 804, 818, 727, 890, 984, 984, 50,
		489, 186, 193, 888, 872, 872, 907, 898, 898, 898, 898, 974, 843, 786, 843, 763, 812, 325, 513, 974, 205, 890, 890, 812, 812, 56, 324, 492, 497, 513,
		193, 56, 489, 513, 571, 844, 727, 764, 488, 737, 737, 737, 793, 806, 977, 544, 977, 259, 300, 300, 471, 570, 561, 546, 990, 344, 344, 991, 291, 310,
		66, 235, 239, 66, 873, 873, 919, 919, 188, 66, 351, 476, 843, 192, 235, 239, 66, 351, 476, 890, 890, 284, 740, 284, 284, 284, 284, 284, 326, 326,
		326, 326, 514, 497, 355, 311, 2, 150, 198, 343, 380, 546, 911, 918, 488, 56, 98, 91, 98, 91, 532, 91, 98, 311, 311, 528, 91, 311, 311, 292,
		311, 311, 343, 380, 918, 726, 109, 699, 728, 754, 728, 718, 782, 284, 285, 500, 512, 740, 843, 879, 933, 679, 379, 559, 259, 898, 898, 872, 679, 737,
		559, 284, 285, 879, 934, 379, 872, 679, 228, 354, 379, 444, 940, 354, 379, 444, 940, 284, 727, 545, 842, 909, 545, 762, 762, 762, 762, 958, 381, 381,
		381, 572, 572, 571, 794, 911, 918, 488, 489, 571, 844, 560, 489, 571, 818, 489, 571, 804, 818, 804, 489, 571, 818, 489, 571, 804, 818, 575, 881, 881,
		572, 572, 572, 572, 882, 718, 726, 730, 736, 755, 757, 812, 812, 812, 812, 89, 119, 481, 501, 512, 554, 786, 803, 843, 843, 786, 719, 807, 638, 332,
		120, 730, 99, 514, 544, 546, 597, 99, 546, 890, 890, 154, 489, 497, 764, 489, 497, 737, 782, 737, 754, 808, 872, 879, 872, 879, 545, 787, 205, 909,
		979, 909, 979, 873, 873, 909, 974, 909, 979, 909, 979, 974, 873, 873, 291, 310, 7, 142, 514, 955, 544, 193, 952, 514, 7, 350, 514, 955, 310, 102,
		512, 481, 501, 762, 822, 595, 653, 475, 76, 260, 781, 483, 488, 253, 125, 757, 253, 757, 113, 310, 781, 8, 8, 125, 260, 8, 260, 125, 125, 757,
		125, 260, 125, 260, 957, 957, 730, 125, 125, 125, 957, 730, 344, 445, 730, 804, 8, 489, 12, 12, 783, 804, 783, 125, 957, 730, 757, 544, 744, 805,
		260, 125, 125, 125, 744, 260, 8, 804, 513, 957, 737, 353, 804, 205, 205, 909, 509, 513, 781, 844, 403, 513, 568, 673, 50, 124, 275, 572, 545, 801,
		545, 779, 805, 842, 486, 488, 863, 539, 781, 118, 568, 465, 465, 741, 465, 465, 12, 974, 905, 730, 979, 260, 431, 781, 125, 125, 783, 8, 502, 781,
		873, 873, 783, 783, 873, 873, 111, 882, 882, 873, 873, 725, 729, 730, 736, 812, 871, 1, 1, 755, 757, 871, 718, 726, 730, 755, 922, 575, 693, 763,
		575, 653, 728, 754, 763, 873, 730, 910, 327, 952, 952, 445, 812, 330, 836, 836, 952, 952, 445, 812, 545, 910, 941, 942, 863, 99, 124, 176, 331, 729,
		756, 741, 874, 381, 874, 381, 874, 874, 662, 874, 874, 874, 874, 874, 874, 741, 874, 291, 488, 572, 572, 291, 816, 99, 329, 460, 475, 493, 511, 595,
		699, 99, 329, 475, 493, 511, 576, 699, 61, 488, 291, 310, 882, 263, 546, 264, 302, 889, 889, 873, 873, 730, 873, 873, 205, 329, 475, 329, 475, 572,
		572, 205, 291, 291, 291, 890, 890, 864, 864, 542, 365, 355, 285, 554, 570, 780, 786, 803, 843, 872, 285, 570, 780, 872, 355, 737, 737, 430, 699, 873,
		873, 909, 979, 332, 890, 890, 890, 489, 571, 818, 804, 3, 97, 328, 330, 332, 514, 546, 763, 546, 754, 890, 290, 779, 805, 975, 754, 284, 285, 740,
		730, 284, 285, 805, 808, 975, 290, 290, 574, 909, 259, 514, 514, 955, 955, 347, 410, 476, 710, 347, 476, 707, 420, 410, 420, 955, 327, 327, 327, 327,
		681, 858, 262, 706, 50, 808, 808, 291, 310, 301, 301, 301, 291, 291, 310, 301, 284, 284, 310, 291, 975, 956, 448, 66, 351, 476, 285, 843, 235, 239,
		449, 66, 351, 476, 291, 310, 291, 291, 205, 205, 205, 284, 572, 572, 881, 881, 730, 781, 348, 348, 511, 125, 125, 873, 330, 641, 641, 330, 641, 816,
		943, 944, 290, 290, 290, 290, 782, 290, 290, 681, 979, 174, 317, 317, 37, 174, 572, 755, 974, 572, 298, 352, 410, 785, 785, 785, 785, 785, 785, 958,
		812, 473, 352, 353, 362, 473, 779, 805, 975, 317, 317, 975, 604, 662, 37, 37, 41, 174, 974, 606, 812, 812, 351, 351, 805, 805, 545, 787, 789, 842,
		514, 635, 890, 890, 730, 378, 66, 512, 679, 332, 332, 235, 66, 717, 975, 542, 662, 352, 353, 727, 867, 727, 37, 40, 186, 193, 174, 193, 591, 352,
		410, 332, 719, 332, 378, 865, 870, 781, 883, 332, 527, 649, 206, 206, 284, 285, 740, 284, 285, 984, 984, 311, 311, 122, 124, 330, 718, 755, 718, 726,
		718, 726, 730, 755, 757, 262, 278, 500, 512, 612, 670, 679, 843, 845, 845, 845, 845, 641, 492, 497, 727, 764, 955, 513, 737, 131, 492, 497, 727, 754,
		955, 644, 262, 500, 645, 523, 545, 972, 971, 294, 294, 294, 330, 594, 594, 205, 205, 301, 889, 889, 909, 889, 889, 888, 497, 511, 595, 653, 890, 890,
		882, 882, 81, 497, 727, 764, 488, 737, 812, 290, 290, 290, 290, 301, 294, 294, 294, 294, 511, 332, 974, 302, 302, 34, 311, 300, 290, 723, 729, 756,
		730, 736, 730, 736, 572, 911, 572, 911, 205, 205, 481, 554, 786, 843, 890, 572, 572, 890, 205, 205, 292, 1, 1, 974, 572, 572, 327, 348, 327, 545,
		787, 952, 545, 789, 842, 952, 498, 499, 963, 964, 488, 301, 301, 301, 822, 822, 239, 380, 380, 301, 292, 292, 291, 291, 291, 312, 292, 291, 310, 779,
		805, 779, 543, 805, 572, 572, 779, 762, 310, 301, 489, 497, 459, 497, 702, 718, 387, 737, 407, 545, 787, 842, 545, 787, 545, 787, 842, 66, 235, 66,
		205, 343, 671, 343, 293, 293, 481, 500, 501, 512, 557, 740, 786, 843, 898, 64, 805, 909, 909, 979, 205, 728, 332, 332, 545, 545, 787, 789, 801, 842,
		545, 787, 789, 801, 545, 787, 293, 6, 67, 126, 346, 525, 807, 819, 514, 302, 980, 293, 12, 980, 285, 570, 843, 285, 570, 864, 864, 910, 910, 124,
		331, 665, 12, 845, 527, 974, 863, 863, 726, 730, 545, 561, 327, 327, 343, 545, 699, 787, 816, 842, 343, 718, 757, 327, 327, 343, 380, 560, 629, 718,
		757, 343, 953, 954, 488, 779, 779, 754, 293, 293, 819, 992, 293, 6, 67, 115, 126, 346, 819, 726, 730, 736, 755, 757, 15, 67, 345, 817, 89, 487,
		488, 786, 594, 89, 487, 851, 843, 851, 851, 806, 843, 843, 126, 851, 851, 851, 89, 487, 786, 594, 514, 851, 851, 851, 851, 806, 851, 487, 89, 487,
		75, 487, 343, 718, 726, 730, 736, 755, 822, 6, 67, 126, 244, 345, 817, 807, 843, 843, 806, 381, 381, 741, 381, 381, 807, 345, 538, 817, 488, 843,
		842, 842, 842, 545, 762, 789, 816, 842, 567, 807, 6, 16, 67, 126, 345, 786, 803, 843, 542, 804, 851, 851, 542, 804, 544, 851, 851, 851, 851, 851,
		542, 851, 544, 481, 512, 543, 543, 801, 975, 890, 978, 294, 572, 956, 6, 67, 126, 127, 345, 542, 786, 803, 488, 843, 844, 804, 804, 328, 328, 804,
		844, 804, 804, 804, 804, 807, 843, 844, 544, 804, 804, 807, 571, 659, 727, 738, 781, 594, 594, 6, 67, 126, 245, 345, 786, 843, 807, 807, 807, 807,
		343, 293, 302, 572, 755, 161, 343, 497, 475, 762, 475, 575, 653, 728, 754, 730, 736, 207, 812, 278, 285, 354, 379, 527, 872, 889, 327, 354, 379, 872,
		889, 570, 570, 898, 205, 211, 729, 756, 514, 254, 662, 662, 39, 254, 410, 870, 870, 870, 870, 286, 352, 352, 286, 286, 254, 286, 174, 37, 37, 352,
		352, 353, 254, 352, 870, 352, 473, 352, 37, 37, 174, 344, 352, 352, 352, 352, 344, 352, 344, 352, 344, 352, 286, 286, 286, 286, 870, 870, 37, 286,
		254, 254, 352, 352, 870, 174, 352, 286, 273, 254, 37, 37, 174, 352, 254, 352, 353, 254, 352, 352, 254, 174, 174, 572, 812, 812, 571, 572, 976, 572,
		956, 976, 488, 804, 410, 352, 352, 100, 101, 727, 857, 66, 347, 476, 481, 843, 571, 488, 783, 783, 571, 66, 347, 476, 489, 489, 328, 514, 805, 842,
		514, 680, 488, 327, 959, 974, 974, 17, 124, 873, 873, 782, 882, 882, 284, 326, 613, 332, 481, 638, 89, 326, 808, 545, 787, 789, 801, 545, 787, 789,
		801, 993, 86, 953, 978, 295, 301, 317, 718, 726, 730, 734, 730, 488, 812, 488, 36, 124, 331, 172, 192, 251, 251, 171, 172, 192, 12, 252, 252, 232,
		12, 251, 251, 12, 12, 253, 252, 252, 252, 253, 192, 253, 12, 12, 12, 192, 175, 171, 172, 192, 12, 975, 8, 90, 781, 125, 125, 125, 14, 232,
		232, 232, 232, 232, 12, 8, 14, 232, 14, 125, 24, 511, 302, 300, 302, 302, 205, 388, 955, 284, 740, 284, 284, 205, 783, 783, 205, 308, 317, 317,
	},
}
