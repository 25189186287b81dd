package perspective

// lensRows has other ways to see the root.
const lensRows = "" +
	"free: DET? LENS LENS? READING of|at|on|to|about X\n" + // a feminist reading of [jane eyre]; the funny side of [camping]
	""

// topicRows asks for a subtopic.
const topicRows = "" +
	"topic: ADJ FIELD ASPECT of|on|to|behind X\n" + // economic aspects of [immigration]
	"topic: T FOCUS REST\n" + // [tourism] with a focus on the environment
	""

// learnerRows asks for texts for those who learn.
const learnerRows = "" +
	"audience: explain|teach|describe X as_you_would|the_way_you_would|like_you_would REST\n" + // explain [the stock market] as you would to a child
	"audience: teach me X like|as_if REST\n" + // teach me [fractions] like i am eight
	"audience: eli5 X\n" + // eli5 [mortgage rates]
	"audience: explain|explaining|understanding|understand X to_me? like|as_if|as_though REST\n" + // explain [the stock market] to me like i am ten
	"audience: explain|explaining|describe X so|such|in_a_way that? REST\n" + // explain [entropy] so that a child understands it
	"audience: explain|explaining X to|for WHO\n" + // explain [inflation] to a child
	"audience: explain|explaining X SIMPLE\n" + // explain [dna] in simple terms
	"audience: X explained|described like|as_if REST\n" + // [black holes] explained like i'm five
	"audience: HOWTO explain X to|for WHO\n" + // how to explain [death] to a child
	"audience: ADJ simple|easy|basic|simplified|plain|gentle|plain_english|non-technical explanation|introduction|overview|guide|description of|to|for X\n" + // a simple explanation of [inflation]
	"audience: T [explained|described|taught]? SIMPLE for|to WHO\n" + // [photosynthesis] in simple words for a ten year old
	"audience: X explained SIMPLE\n" + // [how vaccines work] explained in simple terms
	"audience: T [explained|described|taught]? SIMPLE\n" + // [inflation] in simple terms
	"audience: ADJ beginner|beginners|dummy|layman|idiot|newbie|child|kid guide|introduction|tutorial|tips|intro|course|overview to|on|for|about X\n" + // a beginner's guide to [beekeeping]
	"audience: ADJ GUIDE for ADJ PERSONS|LEARNERS about|on|regarding X\n" + // advice for new parents about [sleep]
	"audience: ADJ GUIDE|DOC about|on|to|of X for ADJ LEARNERS|PERSONS\n" + // a book about [sharks] for kids
	"audience: X explained|simplified|made_easy|written|described for|to WHO\n" + // [climate change] explained to children
	""

// speakerRows asks for those who speak.
const speakerRows = "" +
	"audience: ask|asking|asked DET? ADJ PERSON ,|about|on|regarding|for|whether|if X\n" + // ask a lawyer: [tenancy deposits]
	"speaker: what BE it like for WHO to X\n" + // what is it like for nurses to [work nights] (audience)
	"speaker: what BE it like to X for|as WHO\n" + // what is it like to [live in london] as a refugee (audience)
	"speaker: WHATS the? ADJ VIEW of|by|from|among|amongst WHO ON|to|towards X\n" + // what is the opinion of doctors on [vaping] (audience)
	"speaker: WHATS DET? WHO VIEW ON|to|towards X\n" + // what's a dentist's take on [whitening strips] (audience)
	"audience: do|does|would|did|should|could|can|might ADJ PERSON recommend|advise|like|approve_of|support|suggest|prefer|trust|believe_in|worry_about X\n" + // would a vet recommend [raw food]
	"audience: could|can|would DET? ADJ PERSON explain|describe|comment_on|talk_about X\n" + // could a teacher explain [fractions]
	"audience: DET? ADJ PERSON explains|explain|discusses|describes|recalls|remembers|debunks|answers|rates|judges|analyses|analyzes|defends|criticises|reflects_on|comments_on|reacts_to|responds_to|talks_about|speaks_about|writes_about|weighs_in_on|opens_up_about X\n" + // a lawyer explains [copyright]
	"audience: DET? ADJ PERSONS|SPEAKERS TALK about|on|of|over|how X\n" + // nurses tell about [night shifts]
	"audience: DET? ADJ PERSON VIEW|POV|advice|tips|guide ON|of|to|towards|for X\n" + // landlord pov on [rent control]
	"audience: legal|medical|tech|financial|health|security|policy|child|education|nutrition|military|climate|industry|it|fashion|economic experts|specialists|professionals|advisers on|about X\n" + // legal experts on [copyright]
	"audience: T , ADJ PERSONS|SPEAKERS TALK|report|discuss|describe|tell_their_story|share_their_stories\n" + // [night shifts]: nurses tell
	"audience: according_to DET? ADJ PERSON X\n" + // according to teachers [school closures]
	"audience: from DET? PERSON POV|view ,? X\n" + // from a landlord perspective [rent control]
	"audience: T [suitable|told|understandable|accessible|made|broken_down|summarised|summarized|rewritten|retold|adapted|simply|easily] for ADJ LEARNERS\n" + // [relativity], suitable for newbies
	"audience: ADJ intro|introduction|guide|primer|tutorial|overview|course to|on|into|of X for ADJ LEARNERS|PERSONS\n" + // intro to [investing] for beginners
	"audience: T simple|easy|basic|simplified|short explanation|introduction|intro|overview|guide|words|terms|language\n" + // [photosynthesis] simple explanation
	"audience: T in|with SIMPLE|simple_words|plain_english|simple_terms|easy_words for|to LEARNERS|WHO\n" + // [black holes] in plain english for kids
	"audience: ADJ stories|tales|accounts|memories|diaries|testimonies|experiences told|written|shared|reported|narrated by WHO about|of|on X\n" + // stories told by refugees about [their flight]
	"audience: ADJ GUIDE|DOC ON X as DET PERSON\n" + // info on [taxes] as a student
	"audience: from ADJ PERSONS|SPEAKERS , X\n" + // from nurses: [night shifts]
	"speaker: WHATS it like to X as|for DET WHO\n" + // what's it like to [work nights] as a nurse (audience)
	"audience: T so_that|such_that|so DET? ADJ WHO understands|understand|gets|get|can REST\n" + // [shares] so that a child understands them
	"audience: ADJ simple|easy|basic|understandable|accessible|short DOC|something|anything about|on X\n" + // simple texts about [shares]
	"audience: something|anything simple|easy|basic|understandable|accessible about|on X\n" + // something easy about [shares]
	"audience: explain|teach|describe to_me|to_us|me|us X like|as_if|as_though|as_you_would|the_way REST\n" + // explain to me [the stock market] as if i were a child
	"audience: HOW do|does X work for ADJ LEARNERS\n" + // how does [the stock market] work for dummies
	"audience: T for ADJ LEARNERS AND ADJ LEARNERS|PERSONS\n" + // [wine tasting] for beginners and amateurs
	"audience: QUAL? PERSONS|SPEAKERS about X\n" + // residents about [the flood]
	"speaker: what would|might|could WHO say|reply|answer|object|respond to X\n" + // what would carpenters say to [flat-pack furniture] (audience)
	"audience: T for ADJ PERSONS with|without|who|that|whose REST\n" + // [hiking] for families with toddlers
	"speaker: what say|says|think|thinks WHO ON|of X\n" + // what say doctors about [detox] (audience)
	"audience: ADJ easy|simple|basic explanation|introduction X\n" + // easy explanation [photosynthesis]
	"audience: what do|does X mean SIMPLE\n" + // what does [inflation] mean in simple words
	"audience: what BE X SIMPLE\n" + // what is [inflation] in simple words
	"audience: HOW DO? DET? ADJ PERSON MAY? COPE X\n" + // how does a surgeon deal with [stress]
	"audience: HOW would|could|might DET PERSON SEE X\n" + // how would a judge view [plea deals]
	"audience: T eli5|for_dummies|beginner_guide|beginners_guide|beginner's_guide|simply_explained|easily_explained|simply_put\n" + // [black holes] eli5
	"speaker: what DO? MAY? WHO MAY? SAY ON|of X\n" + // what do teachers think about [homework] (audience); what teachers say about [phone bans] (audience); what the french say about [strikes] (place)
	"audience: what|HOW DO? ADJ PERSONS of|with|without|in|from|on WHO MAY? SAY|SEE ON? X\n" + // what do parents of autistic children think about [inclusion]
	"audience: what|HOW DO? people|those|someone|anyone|parents|patients who|with|without|in|from|whose WHO MAY? SAY|SEE ON? X\n" + // what do people who live near airports think about [night flights]
	"speaker: ADJ interview|conversation|talk|podcast|discussion|chat with WHO about|on X\n" + // interviews with nurses about [burnout] (audience)
	"speaker: hear|hearing from WHO about|on|regarding X\n" + // hear from nurses about [night shifts] (audience)
	"speaker: HOW would|could|might WHO MAY? explain|describe|define|judge|defend|solve|put X\n" + // how would an economist explain [inflation] (audience)
	"speaker: WHOSE ADJ advice|tips|recommendations|explanation|analysis VIEWON|for X\n" + // a vet's advice on [raw feeding] (audience)
	"speaker: what DO MAY? WHO MAY? recommend|advise|suggest for|against|when X\n" + // what would a nurse recommend for [jet lag] (audience)
	"speaker: HOW DO? X look|looks|feel|feels|seem|seems|appear|appears to|for WHO\n" + // how [marriage] looks to a divorce lawyer (audience)
	"audience: what should? ADJ PERSONS|LEARNERS|everyone should|must|need_to|ought_to? know about|on|regarding X\n" + // what parents should know about [vaping]
	"audience: ADJ EASY DOC|GUIDE|explanation|introduction|overview|intro ON|of|to|for X\n" + // kid friendly explanation of [death]
	"audience: ADJ account|statement|report of|by ADJ PERSONS|SPEAKERS on|about X\n" + // accounts of nurses on [night shifts]
	"speaker: HOW DO? WHO MAY? SEE X\n" + // how do nurses feel about [night shifts] (audience); how nurses see [night shifts] (audience)
	"speaker: HOW BE? X BE? SEEN by WHO\n" + // how is [the strike] seen by commuters (audience); how [the strike] is seen by commuters (audience)
	"speaker: what DO? X mean|meant for WHO\n" + // what does [brexit] mean for farmers (audience); what [brexit] means for farmers (audience)
	"audience: HOW DO? X MAY? affect|impact|affected|changes ADJ PERSONS\n" + // how does [brexit] affect farmers; how [brexit] affects farmers
	"audience: ADJ impact|effect|consequences|implications of X on|for ADJ PERSONS\n" + // consequences of [brexit] for farmers
	"speaker: ADJ VIEW of|from|by|among WHO [ON|toward|towards|to|with|,] X\n" + // opinions of teachers on [homework] (audience); the view from scotland on [independence] (place)
	"speaker: ADJ DOC|GUIDE PUBLISHED? from|by|out_of WHO [ON|toward|to|with|,] X\n" + // news from germany about [heat pumps] (place); news from the right about [the election] (leaning)
	"audience: ADJ DOC|GUIDE ON X written? by|from ADJ PERSONS|SPEAKERS|people\n" + // advice on [dating] from divorced people
	"audience: ADJ PERSONS|SPEAKERS on X\n" + // cab drivers on [uber]
	"speaker: WHO view|opinion|perspective|take|thoughts|viewpoint|stance|attitude|point_of_view on|about|regarding|toward|concerning X\n" + // teachers opinions on [homework] (audience)
	"speaker: WHOSE ADJ VIEW VIEWON X\n" + // a landlord's experience with [rent control] (audience)
	"audience: PERSONS writing|speaking|complaining on|about X\n" + // women writing about [war]
	"audience: DET? PERSONS|SPEAKERS|police|industry|church|government view|opinion|perspective|position|take|thoughts|advice|tips|experience|stance|attitude on|of|about|with|to|towards|regarding X\n" + // the police view of [protests]
	"audience: QUAL? PERSONS|SPEAKERS discuss|discussing|describe|describing|debate|react_to|respond_to|reacted_to|responded_to|reacting_to|open_up_about|remember|talk_about X\n" + // nurses discuss [night shifts]
	"audience: QUAL? PERSONS|SPEAKERS on X\n" + // grandparents on [raising children]
	"speaker: as DET WHO , X\n" + // as a parent, [screen time] (audience)
	"speaker: T [as]? seen|viewed|told|described|experienced|explained|written|answered|discussed|judged|reviewed|covered|portrayed|interpreted|remembered by|from|through WHO\n" + // [the war] as seen by children (audience)
	"speaker: T as? COVERED? through|in|with|by WHO eyes|words|opinion\n" + // [the war] through a nurse's eyes (audience)
	"speaker: T as the? WHO see|sees|saw|experience|experienced|tell|describe|view|views|know|perceive|imagine|understand it|them|this|that\n" + // [rewilding] as farmers see it (audience)
	"speaker: T [from] DET? POV of WHO\n" + // [rent control] from the perspective of tenants (audience)
	"speaker: T [from] WHO POV\n" + // [rent control] from a landlord's perspective (audience)
	"evidence: statistics|figures|numbers|stats for X\n" + // figures for [road deaths]
	"audience: T VIEW of ADJ PERSONS|SPEAKERS\n" + // [coffee] opinions of doctors
	"audience: T GUIDE|DOC|VIEW from|by DET? ADJ PERSON\n" + // [jet lag] tips from pilots; [investing] tips from millionaires
	"audience: T for LEARNERS\n" + // [quantum physics] for beginners
	"audience: ADJ GUIDE for ADJ LEARNERS to|into|on X\n" + // introduction for beginners to [sewing]
	"evidence: experience with|of X\n" + // experiences with [laser hair removal]
	"audience: T for ADJ PERSONS over|under|aged|past REST\n" + // [solo travel] for women over 60
	"audience: T for ADJ PERSONS\n" + // [cybersecurity] for small business owners
	"audience: T DET? PERSON VIEW|POV\n" + // [coffee] doctor's opinion; [rent control] landlord perspective
	"audience: ADJ PERSON opinion|opinions|view|views|perspective|thoughts|experiences X\n" + // doctor opinion [detox]
	""
