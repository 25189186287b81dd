package perspective

// evidenceRows asks for evidence. Here and in other lists, rows of other kinds stand where they must be tried first.
const evidenceRows = "" +
	"place: DET? ADJ NATION ADJ papers|newspapers ON X\n" + // danish papers on [cycling helmets]
	"place: foreign|international|overseas press|media|newspapers|reactions|reaction|opinion|views|observers|perspective on|about|to|of X\n" + // foreign press on [brexit]
	"place: ADJ DOC ON X from|in|by the? NATION ADJ DOC|PERSONS\n" + // texts about [cycling helmets] from danish media
	"place: LAND newspapers|papers|press|media|journalists|voices|residents on|about X\n" + // london newspapers on [low traffic zones]
	"place: new zealand ADJ DOC|VIEW ON|of|to X\n" + // new zealand news on [sheep farming]
	"time: only|just|mainly? DET? VERY? AGED ADJ DOC|STATS|GUIDE|thinking|developments|progress|findings|updates|information|attitudes ON|to|towards|into X\n" + // only recent articles about [vaping]; yesterdays news about [the transfer window]
	"leaning: ADJ DOC [ON|of] X from|in|by DET? LEAN LEAN? DOC|LEANDOC|POV|SPEAKERS\n" + // articles on [nato] from conservative newspapers
	"time: ADJ DOC|STATS PUBLISHED? TIMEP ON X\n" + // articles from before 2000 about [plastic]
	"time: ADJ DOC|STATS [about|on|regarding|concerning|of] X that? WERE? PUBLISHED? TIMEP\n" + // reports on [doping] between 1980 and 1990
	"audience: ADJ EXPERT opinion|view|advice|commentary|testimony|perspective|take|thoughts|verdict ON|of|to X\n" + // expert opinion on [mouth taping]
	"evidence: ADJ SCIENTIFIC evidence|proof|data|support|backing|basis for|that|of|behind X\n" + // is there scientific evidence that [zinc shortens colds]
	"evidence: ADJ SCIENTIFIC ADJ DOC|STATS|facts|findings STATON X\n" + // peer-reviewed articles on [vaping]
	"evidence: ADJ STATS STATON whether|if X\n" + // studies about whether [homework helps]
	"evidence: ADJ STATS that|which examine|examined|looked_at|tested|investigated|look_at|looks_at|deal_with|deals_with|investigate|analyse|analyze|cover|test|explore X\n" + // studies that examine [screen time]
	"evidence: WE|PERSONS share|sharing|shared|describe|describing|report|reporting DET experience with|of X\n" + // people share their experiences with [ivf]
	"evidence: T user|patient|personal|real|customer experience|reports|stories\n" + // [ozempic] user experiences
	"evidence: figures|statistics|stats|numbers|graphs showing|illustrating|comparing X\n" + // figures showing [how many people cycle]
	"evidence: the? ADJ science behind|of|on X\n" + // the science behind [sleep training]
	"evidence: statistics|stats of X\n" + // statistics of [road deaths]
	"evidence: T examples from|in real_life|history|practice|everyday_life\n" + // [nudging] examples from real life
	"evidence: ADJ example|instance for X\n" + // an example for [greenwashing]
	"evidence: who|anyone|anybody|someone has|have|had? ever? tried|done|experienced|survived X\n" + // who has tried [keto]
	"evidence: people who tried|did|experienced|survived|had|underwent X share|tell|describe|report REST\n" + // people who tried [keto] share their experience
	"evidence: what BE DET? ADJ evidence|data|research|science|proof ON|behind|of|about|regarding X\n" + // what is the evidence on [sleep training]
	"evidence: documented|recorded|reported|confirmed|proven|known|verified cases|instances|sightings of X\n" + // documented cases of [ball lightning]
	"evidence: your|people's|peoples|others experience|experiences with|of X\n" + // your experiences with [dream therapy]
	"evidence: an? experiment on|about|into X\n" + // experiment about [obedience]
	"evidence: ADJ survey|poll|interviews of WHO about|on X\n" + // surveys of teachers about [class sizes]
	"evidence: people's|peoples stories about|of|with X\n" + // people's stories about [tiny houses]
	"evidence: DET? evidence base|basis for|of|behind X\n" + // evidence base for [emdr]
	"evidence: X , with|including|based_on|backed_by|supported_by DET? ADJ STATS|data|evidence|sources|SCIENCE\n" + // [do bag bans work]? with data please
	"evidence: ADJ field_study|field_studies|clinical_trials in X\n" + // field studies in [urban farming]
	"evidence: ADJ DOC by|from|of people|those who tried|had|did|experienced|survived|lived_through|underwent X\n" + // reports by people who tried [microdosing]
	"evidence: ADJ survey|poll|study|research among|with WHO about|on X\n" + // surveys among teachers about [burnout]
	"evidence: T SCIENTIFIC studies|study|evidence|research|trials|proof|findings\n" + // [acupuncture] scientific evidence
	"evidence: T FIRSTHAND\n" + // [lasik] first-hand accounts
	"evidence: who has|had|have? experience|experiences with|of X\n" + // who has experience with [heat pumps]
	"evidence: has|have anyone|anybody|someone|people ADJ tried|experience_with|had_experience_with|got_experience_with X\n" + // has anyone tried [mouth taping]
	"evidence: ADJ examples|instances of|for X\n" + // examples of [plagiarism]
	"evidence: an|any|some|one|another ADJ example|instance of X\n" + // an example of [cognitive dissonance]
	"evidence: ADJ trials|studies|surveys|case_study|meta-analysis|meta-analyses|systematic_review|meta_analysis|meta_analyses of X\n" + // clinical trials of [magnesium]
	"evidence: ADJ paper ON X\n" + // peer reviewed papers on [probiotics]
	"evidence: ADJ STATS STATON X\n" + // statistics on [knife crime]; studies on [intermittent fasting]
	"evidence: ADJ REAL of|for|about|on X\n" + // real life examples of [game theory]
	"evidence: FIRSTHAND of|from X\n" + // first-hand accounts of [the great depression]
	"evidence: X statistics\n" + // [knife crime] statistics
	"evidence: X case_study|survey_results|scientific_studies|in_numbers\n" + // [co-housing] case studies
	"ordinary: X? NOSTUDY studies\n" + // business studies
	"evidence: T studies|testimonials|anecdotes|success_stories\n" + // [melatonin] studies
	"evidence: what DO? SCIENCE SAY ON X\n" + // what does research say about [intermittent fasting]; what the data says about [crime]
	"evidence: T experiences|experience|findings|datasets|stats|testimonies|meta-analysis\n" + // [keto] experiences
	""

// analogyRows asks for something that is like the root.
const analogyRows = "" +
	"analogy: what|which ADJ BE most|MUCH? like|similar_to|comparable_to|analogous_to|akin_to|the_equivalent_of X\n" + // which sport is most like [curling]; what other game is like [squash]
	"analogy: X explained|described|illustrated with|through|by|using DET? ADJ ANALOGY|comparison\n" + // [dna] explained with an analogy
	"analogy: ADJ STORY|WORK|TALE LIKEX X but|only|just|, REST\n" + // something like [cinderella] but different
	"analogy: DET? same|similar ADJ MORAL as|to|like X , ADJ different|another|new|other REST\n" + // same lesson as [the tortoise and the hare], different story
	"analogy: ADJ STORY|WORK|TALE HAS DET? ADJ MORAL of X\n" + // another story with the moral of [cinderella]
	"analogy: T analogy|metaphor|parallels|simile\n" + // [electricity] analogy
	"analogy: X , DET? ADJ ANALOGY\n" + // [electricity]: a good metaphor
	"analogy: parallels|similarities|comparison|comparisons between X and today|now|our_time|the_present|today's_world|modern_times\n" + // parallels between [the french revolution] and today
	"analogy: DET? everyday|daily|simple|ancient|earlier|older|real-life version|equivalent|counterpart|analogue of|to|for X\n" + // an everyday version of [the prisoner's dilemma]
	"analogy: something|anything|things|situation|example in|from everyday_life|daily_life|real_life|nature|history|literature|sports|business LIKEX X\n" + // something in everyday life that works like [a capacitor]
	"analogy: ADJ precedent|precedents|antecedents|forerunners for|to|of X\n" + // historical precedents for [brexit]
	"analogy: ADJ equivalent|counterpart|parallel|analogue of|to|for X in|from history|literature|nature|mythology|other_countries|everyday_life\n" + // equivalent of [brexit] in history
	"analogy: has|have there ever? been anything|something|a_case|cases|events LIKEX X\n" + // has there ever been something like [brexit]
	"analogy: has|did anything|something LIKEX X ever? happened|happen|existed before|ever|elsewhere?\n" + // has anything like [brexit] happened before
	"analogy: in the same vein|spirit|style as X\n" + // in the same vein as [the trojan horse]
	"analogy: what|which in history|literature|nature|mythology BE like|similar_to|comparable_to X\n" + // what in history is like [the dot-com crash]
	"analogy: what|which ADJ compares|compare to|with X\n" + // what compares to [the dot-com crash]
	"analogy: T parallels|precedents|analogies|equivalents in history|literature|nature\n" + // [the dot-com crash] parallels in history
	"analogy: ADJ STORY|WORK|TALE similar|comparable in MORAL|spirit|tone|theme|structure to|with X\n" + // stories similar in moral to [romeo and juliet]
	"analogy: ADJ STORY|WORK|TALE about|on|around DET? same|similar ADJ MORAL|thing as X\n" + // another story about the same theme as [romeo and juliet]
	"analogy: ADJ parallel|counterpart for X\n" + // find me a parallel for [the dust bowl]
	"analogy: WHATS? DET? ADJ closest|nearest thing|equivalent|comparison|parallel to|of X\n" + // what's the closest thing to [heroin withdrawal]
	"analogy: WHATS? DET? today's|todays|modern|modern-day|modern_day|contemporary|historical|current equivalent|version|counterpart of|to X\n" + // what is today's equivalent of [the gold rush]
	"analogy: ADJ STORY in|from history|mythology|literature LIKEX X\n" + // events in history similar to [the gold rush]
	"analogy: what|which ADJ resembles|resemble X\n" + // which fairy tale resembles [pretty woman]
	"analogy: what can|could|would WE compare|liken X to|with\n" + // what can you compare [electricity] to
	"analogy: compare|comparing|liken X to|with something|anything|things|everyday|a_familiar|familiar REST\n" + // compare [the internet] to something everyday
	"analogy: DET? ADJ comparison for X\n" + // a comparison for [a black hole]
	"analogy: what|which ADJ DO X resemble\n" + // which event does [the crash] resemble
	"analogy: what BE X MUCH? comparable|similar|analogous|akin|equivalent to\n" + // what is [blockchain] comparable to
	"analogy: what can|could|would ADJ X be compared|likened to|with\n" + // what can [inflation] be compared to
	"analogy: HOWTO? explain|describe X with|using|through|by|via ADJ ANALOGY|comparison\n" + // explain [electricity] with an analogy
	"analogy: ADJ ANALOGY|comparison that|which explain|illustrate|describe|capture|show X\n" + // a comparison that explains [inflation]
	"analogy: ADJ ANALOGY|comparison to|for explain|explaining|describe|describing|illustrate|understand X\n" + // a comparison to illustrate [entropy]
	"analogy: ADJ everyday|simple|good|helpful|useful|vivid|nice|real-life comparison for|to X\n" + // everyday comparison for [how a firewall works]
	"analogy: X , ADJ similar|comparable|analogous|parallel STORY|WORK REST\n" + // [the stock market crash]: similar events in history
	"analogy: ADJ WORK|STORY for fans|lovers|readers of X\n" + // books for fans of [jane austen]
	"analogy: ADJ WORK LIKEX X\n" + // games like [stardew valley]
	"analogy: ADJ that's? similar|comparable|akin|analogous to X\n" + // a sport similar to [squash]; cheese that's similar to [halloumi]; is there anything comparable to [the nhs]
	"analogy: if_you|if_i like|liked|love|loved|enjoyed X\n" + // if you liked [gone girl]
	"analogy: ADJ STORY|WORK that|which teaches|teach|says|say|means|shows|does DET? same as|like X\n" + // fable that teaches the same as [the boy who cried wolf]
	"analogy: ADJ STORY|WORK HAS DET? same|similar ADJ MORAL as|to|like|with|of X\n" + // story with the same moral as [the boy who cried wolf]; a parable that makes the same point as [the emperor's new clothes]
	"analogy: ADJ STORY|WORK HAS DET? ADJ MORAL like|similar_to|resembling|as_in|comparable_to X\n" + // a story with a moral like [the ant and the grasshopper]
	"analogy: DET? same|similar ADJ MORAL as|to|like X\n" + // same moral as [the lion and the mouse]
	"analogy: ADJ TALE LIKEX X\n" + // stories like [cinderella]; cases similar to [the dreyfus affair]
	"analogy: DET? same|similar|comparable|analogous|parallel ADJ STORY to|as|like X\n" + // a similar case to [the tulip mania]
	"analogy: DET? modern|modern-day|historical version|equivalent|retelling of|to X\n" + // a modern version of [cinderella]
	"analogy: ADJ ANALOGY for|to|of|with|about|between X\n" + // an analogy for [inflation]
	"analogy: ADJ parallel|comparison|equivalent|counterpart to|with X\n" + // historical parallels to [the fall of rome]
	"analogy: X analogies|metaphors|parallels|historical_parallel|historical_analogy\n" + // [electric current] analogies
	""

// timeRows asks for texts of a time, or for the root in that time.
const timeRows = "" +
	"time: DET? VERY? AGED ADJ review|view|account|coverage|analysis|studies|report|description|impression|picture of X\n" + // early reviews of [the iphone]
	"time: DET? latest|newest|current|recent|todays|today's X news|articles|updates|studies|research|developments|coverage|headlines|reports\n" + // latest [brexit] news
	"time: only|just? TIMEP ,? ADJ DOC|STATS|news ON X\n" + // since 2020: studies on [sugar]
	"time: DET? COMING NUM? years|months|weeks|decades|days|year|month|week|decade ,? ADJ DOC|STATS|news ON X\n" + // past five years: articles on [sugar]
	"time: T , DET? COMING NUM? years|months|weeks|decades\n" + // [sugar], last five years
	"time: anything|something|what's|whats new|recent|current|happening|published|written TIMEP|today|lately|recently ON|with|in|of X\n" + // anything new this month on [plastic waste]
	"time: what BE|has|have? been? said|written|thought|reported|believed TIMEP ON|of X\n" + // what was said in the 1960s about [the pill]
	"time: what did? they|we|people|WHO SAY TIMEP ON|of X\n" + // what did people say in 1900 about [comets]
	"time: what did? they|we|people SAY ON|of X TIMEP\n" + // what did they think about [the pill] back then
	"time: HOW did? they|we|people SEE X TIMEP\n" + // how did they see [the pill] back then
	"time: HOW X BE SEEN TIMEP\n" + // how [the pill] was seen when it came out
	"time: HOW did? X look|looked|develop|evolve TIMEP\n" + // how did [marriage] look in the 1800s
	"time: WHATS? DET? first|initial|early|immediate|contemporary|original reactions|responses|reviews|impressions|thoughts|reports to|of|on X\n" + // first reactions to [the iphone]
	"time: news|headlines|reports|articles|coverage of the? COMING week|month|year|days|weeks|months|decade ON X\n" + // news of the last month about [inflation]
	"time: what will X look|be|become like? TIMEP|in_the_future|in_20_years\n" + // what will [work] look like in the future
	"time: T latest|newest ADJ news|articles|studies|texts|updates|first|only\n" + // [plastic waste] newest articles
	"time: T articles|texts|news|papers YEAR\n" + // [plastic waste] articles 2019
	"time: T YEAR articles|texts|news|papers|reports|studies\n" + // [plastic waste] 2019 articles
	"time: T not|no|nothing older|newer|earlier|later than REST\n" + // [plastic waste] not older than five years
	"time: T today_and REST\n" + // [schooling] today and in the past
	"time: ADJ history of attitudes|views|opinions|thinking|thought|ideas|debate ON|to|towards X\n" + // history of views on [marriage]
	"time: DET? AGED ADJ reactions|responses|attitudes|views|ideas|opinions ON|to|towards|of X\n" + // early reactions to [the telephone]
	"time: T in|from DECADE ADJ DOC\n" + // [the pill] in 1960s newspapers
	"time: what BE DET? ADJ VIEW ON|of|to|towards X TIMEP\n" + // what was the opinion on [smoking] in the 1960s
	"time: what|HOW WHO used_to SEE|SAY ON? X\n" + // how people used to think about [school discipline]
	"time: ADJ VIEW|attitudes ON|to|towards X then_and_now|over_time|through_time\n" + // views about [divorce] then and now
	"time: HOW DET? attitudes|views|opinions|ideas ON|to|towards|of X has|have changed|evolved|shifted REST\n" + // how attitudes to [divorce] have changed
	"time: T of the_future|tomorrow|the_past|yesteryear\n" + // [cities] of the future
	"time: what DO? WHO predict|predicts|forecast ON|for X\n" + // what experts predict about [cities]
	"time: anything|everything|something|all PUBLISHED ON X TIMEP\n" + // everything published on [rail strikes] in 2023
	"time: DET? first|earliest ADJ DOC ON|of X\n" + // first newspaper reports about [the moon landing]
	"time: where is X heading|going TIMEP|in_the_future|next\n" + // where is [telemedicine] heading in the next ten years
	"time: HOW will X develop|evolve|change REST\n" + // how will [telemedicine] develop
	"time: the next NUM years|decades of X\n" + // the next ten years of [telemedicine]
	"time: DET? next decade|century|generation of X\n" + // the next decade of [spaceflight]
	"place: what BE DET? ADJ attitude|opinion|view|mood|debate|reaction|stance|position|feeling|consensus|thinking ON|to|towards|toward|of X in|from|across|among PLACE\n" + // what is the attitude towards [stay-at-home dads] in sweden
	"time: T since|before|after the ADJ release|launch|introduction|start|end|beginning|invention|fall|rise|discovery|election|arrival|opening of REST\n" + // [ai] since the release of chatgpt
	"time: what BE|has|have? happened|changed|been_happening with|to|in|for X TIMEP\n" + // what happened with [the ceasefire] since monday
	"time: ADJ VIEW|attitudes|opinions|thinking [about|on|regarding|concerning|of|to|towards|toward] X TIMEP\n" + // attitudes to [divorce] in the 1970s
	"time: T as? COVERED? in|by|from DOC from|of|in|before|after|since WHEN\n" + // [marriage] in texts from the 18th century
	"time: T FORECAST for|until|to WHEN\n" + // [ai] predictions for the next ten years
	"time: T news|articles|coverage|reports|headlines|STATS of|over|in the last|past NUM? years|months|weeks|days|decades|year|month|week|decade|century\n" + // [ozone layer] news of the past five years
	"time: T around|circa YEAR\n" + // [london] around 1900
	"time: T at|around the turn of the century|millennium|20th_century\n" + // [fashion] at the turn of the century
	"time: anything|something|anything_that_is AGED ON X\n" + // anything recent on [long covid]
	"time: WHATS been? said|written|published|reported ON|of X TIMEP\n" + // what's been written about [fusion] since 2020
	"time: T when it|they was|were|came|had new|young|invented|introduced|popular|first|out REST\n" + // [mobile phones] when they were new
	"time: news of the day|week|month about|on X\n" + // news of the week about [rugby]
	"time: T news of the day|week|month\n" + // [rugby] news of the week
	"time: T latest|newest|recent|current news|developments|updates|articles|studies|research|reports\n" + // [rent freeze] latest news
	"time: WHATS DET? new|latest|newest in|on|with|about|regarding X\n" + // what's new in [battery research]
	"time: what BE|has|have been? said|written|thought|known|published|believed|reported ON|of X TIMEP\n" + // what was said about [mobile phones] ten years ago
	"time: what did? WHO SAY ON|of X TIMEP\n" + // what newspapers wrote about [aids] in the 80s
	"time: HOW did? WHO SEE X TIMEP\n" + // how people thought about [divorce] fifty years ago
	"time: HOW BE X SEEN TIMEP\n" + // how was [childbirth] viewed a hundred years ago
	"time: what BE X like TIMEP\n" + // what was [school] like fifty years ago
	"time: T , only|just? ADJ DOC|STATS? WERE? PUBLISHED? TIMEP\n" + // [electric cars], only articles from this year
	"time: T NEWS WERE? PUBLISHED? TIMEP\n" + // [inflation] coverage since january; [tiktok ban] news this week
	"time: T as? COVERED? BACK? in|during PERIOD\n" + // [summer holidays] back in the 70s
	"time: DET? AGED ADJ developments|progress|research|trends in X\n" + // recent developments in [battery technology]
	"time: the? latest ON|from X\n" + // the latest on [the ceasefire]
	"time: ADJ DOC PUBLISHED? since|after|before|until|from|in|during|of WHEN ON X\n" + // articles from 2019 about [plastic]
	"time: ADJ DOC [about|on|regarding|concerning] X PUBLISHED? since|after|before|until|from|in|during WHEN\n" + // news about [syria] since 2015
	"time: ADJ DOC ON|of X this|last|next week|month|year\n" + // news about [ai] this year
	"time: DET? future of X\n" + // the future of [work]
	"time: ADJ FORECAST for|about|on|regarding|of X\n" + // predictions about [electric cars]
	"time: what will happen|become to|of|with X\n" + // what will become of [printed newspapers]
	"time: HOW has|have? X has|have? changed|evolved|developed REST\n" + // how [schools] have changed since the 1990s; how has [football] changed over the years
	"time: T since DET WHO\n" + // [tourism] since the pandemic
	"time: T before|after|during|since DET? ADJ EVENT\n" + // [london] before the great fire; [house prices] since brexit
	"time: T nowadays|these_days|between_the_wars|throughout_history|through_history|over_time|then_and_now\n" + // [schools] nowadays
	"time: T through|over|across the years|ages|decades|centuries|generations\n" + // [bread] through the ages
	"time: T a? NUM years|decades ago|from_now\n" + // [tv] thirty years ago
	"time: T PUBLISHED? since|after|before|until|up_to|post|pre|prior_to|newer_than|older_than WHEN\n" + // [electric cars] since 2015
	"time: T between|from YEAR and|to|until|till|through|- YEAR\n" + // [immigration policy] between 1990 and 2005
	"time: T from YEAR on|onwards\n" + // [crime] from 1990 onwards
	"time: T as? seen|viewed in|during WHEN\n" + // [the internet] as seen in 1995
	"time: T in|during|over|throughout|within PERIOD\n" + // [women's fashion] in the 1920s; [tourism] in the past ten years
	""

// leaningRows asks for a political side.
const leaningRows = "" +
	"leaning: T as? COVERED? in|by|from|across DET? ADJ LEAN ADJ DOC|LEANDOC|PERSONS\n" + // [housing prices] in the right-wing press
	"leaning: T as COVERED on|by|from|among DET? LEANS\n" + // [welfare] as discussed on the left
	"leaning: T as DET? LEANS see|sees|saw|view|views|think|thinks it|them|this\n" + // [abortion] as the left sees it
	"leaning: ADJ DOC|VIEW|ARG ON X written? by|from DET? LEANS\n" + // articles on [abortion] written by libertarians
	"leaning: ADJ DOC|VIEW|ARG written? by|from|of DET? LEANS ON|to|towards X\n" + // opinions of the left on [nato]
	"leaning: DET? LEANS TALK about|on X\n" + // republicans talking about [taxes]
	"leaning: HOW DO? ADJ LEAN ADJ DOC|LEANDOC|PERSONS cover|portray|frame|present|treat|describe X\n" + // how right wing media cover [strikes]
	"leaning: ADJ LEAN LEAN? ADJ LEANDOC|PERSONS|SPEAKERS|DOC on|about X\n" + // conservative columnists on [nato]
	"leaning: ADJ DOC|VIEW with DET? LEAN slant|bias|perspective|leaning|angle|viewpoint ON X\n" + // articles with a liberal slant on [drug policy]
	"leaning: T [as]? COVERED? from DET? LEANS\n" + // [rent control] from the left
	"leaning: ADJ LEAN LEAN? DOC|LEANDOC|VIEW|ARG ON|of|to|towards X\n" + // left-wing view of [immigration]; liberal media on [gun laws]
	"leaning: DET? LEANS on|about X\n" + // republicans on [taxes]; the left on [taxes]
	"leaning: DET? LEANS VIEW|policy|plan ON|of|to|towards|for X\n" + // the democrats' view of [fracking]; labour policy on [immigration]
	"leaning: T [from] DET? ADJ left|right|green|moderate|radical perspective|viewpoint|standpoint|pov|point_of_view\n" + // [gentrification] from a left perspective
	"leaning: HOW DO? DET? LEAN ADJ PERSONS|SPEAKERS|LEANDOC|DOC|people MAY? SEE|COPE X\n" + // how left-wing politicians talk about [welfare]
	"leaning: T [from|by|through] DET? LEAN POV|DOC|LEANDOC\n" + // [gun laws] from a liberal perspective
	"leaning: LEAN LEAN? opinion|opinions|view|views|perspective|media|press|position X\n" + // right wing opinion [the green deal]
	"leaning: T DET? LEAN VIEW|POV|DOC|LEANDOC|ARG|side\n" + // [abortion] left wing view
	""

// placeRows asks where texts come from, or whose place the view is. A place where something just is, as in
// "recycling in japan", is a part of the subject and no perspective.
const placeRows = "" +
	"place: in PLACE ,? what DO? people|they|you|WE|PERSONS SAY ON|of X\n" + // in germany, what do people think about [trains]
	"place: in PLACE ,? what BE said|written|thought|published ON|of X\n" + // in germany what is written about [trains]
	"place: in PLACE ,? HOW DO? people|they|WE|PERSONS SEE X\n" + // in germany how do they see [trains]
	"place: in PLACE ,? HOW BE X SEEN\n" + // in germany how are [trains] seen
	"place: HOW DO? people|they|WE|PERSONS|locals SEE|HANDLE X in|over_in|across PLACE\n" + // the way they see [trains] in germany
	"place: what DO? people|they|locals|PERSONS SAY ON|of X in|over_in|across PLACE\n" + // what do they say about [trains] in germany
	"place: what BE people|they|locals|PERSONS|DOC in|from PLACE saying|thinking|writing|reporting ON|of X\n" + // what are people in germany saying about [trains]
	"place: WHATS? being? said|written|reported ON|of X in PLACE\n" + // what's being said about [trains] in germany
	"place: HOW BE? X BE? being? SEEN in PLACE\n" + // how is [homelessness] dealt with in finland
	"place: HOW DO? DET? ADJ NATION ADJ DOC|PERSONS report|reports|reported|see|discuss|handle|write_about|report_on|reports_on|talk_about|think_about X\n" + // how the japanese press reports [whaling]
	"place: DET? ADJ NATION ADJ experience|experiences|approach|answer|solution|attitude|reaction|reactions|response|way with|to|of|on|for|towards X\n" + // finnish approach to [homelessness]
	"place: DET? ADJ NATION people|PERSONS|folks|citizens|residents TALK about|on|of X\n" + // japanese people talking about [whaling]
	"place: NATIONALS on|about|discuss|discussing X\n" + // finns on [homelessness]
	"place: people|PERSONS|voices|folks|opinions|residents|locals|journalists from|in PLACE TALK? ON|about X\n" + // people from texas on [gun control]
	"place: according_to DET? ADJ NATION ADJ DOC|PERSONS|people ,? X\n" + // according to japanese sources [whaling]
	"place: from PLACE , X\n" + // from japan: [whaling]
	"place: from DET? ADJ NATION POV ,? X\n" + // from a japanese perspective [whaling]
	"place: T as they see|view it|them in PLACE\n" + // [trains] as they see them in germany
	"place: WHATS DET? ADJ NATION|LAND VIEW|approach|policy ON|to|towards X\n" + // what's the german take on [trains]
	"place: ADJ VIEW|DOC|debate|mood|attitudes in|from|across|within PLACE ON|to|towards|toward|of X\n" + // public opinion in canada on [euthanasia]
	"place: how|what DO? ADJ people|PERSONS|natives|locals|folks from WHO MAY? SAY|SEE ON? X\n" + // how people from bali look at [yoga retreats]
	"place: T DOC from|in DET? ADJ NATION ADJ DOC\n" + // [deforestation] articles from south american newspapers
	"place: what BE thought|said|written|believed ON|of X in PLACE\n" + // what is thought about [nudity] in france
	"place: DET? ADJ attitude|opinion|view|reaction|stance|feelings|resistance|mood ON|to|towards|toward|of X in|across|from|among PLACE\n" + // attitude to [death] in mexico
	"place: PLACE view|position|stance|approach|opinion|attitude|perspective|take on|of|to|towards|about X\n" + // kenyas view of [safari tourism]
	"place: DET? ADJ NATION ADJ PERSON|people on|about X\n" + // german experts on [heat pumps]
	"place: HOW DO? DET? ADJ NATION ADJ DOC cover|portray|frame|present|treat|describe X\n" + // how german media cover [the rent freeze]
	"place: ADJ DOC PUBLISHED? in|from|out_of DET? ADJ NATION ADJ DOC ON|of X\n" + // articles in spanish newspapers on [bullfights]
	"place: ADJ DOC PUBLISHED in|from PLACE ON|of X\n" + // articles published in spain about [bullfights]
	"place: the NATION on X\n" + // the french on [strikes]
	"place: what BE said|written|thought in|across PLACE ON|of X\n" + // what is said in russia about [the sanctions]
	"place: HOW DO? ADJ DOC|people|PERSONS|they in|from PLACE SEE|report_on|report_about|write_about|cover|discuss|describe|portray X\n" + // how do newspapers in spain report on [bullfighting]
	"place: what DO? ADJ DOC|PERSONS|people|they in|from PLACE SAY ON|of X\n" + // what do newspapers in spain say about [bullfighting]
	"place: T as? COVERED in|by|from the? ADJ NATION ADJ DOC|PERSONS|people\n" + // [drone deliveries] as covered by kenyan newspapers
	"place: T DOC|views|opinions|voices from|out_of PLACE\n" + // [migration] articles from greece
	"place: WHATS happening|going_on|up with|to X in PLACE\n" + // what's happening with [bike lanes] in paris
	"place: WHATS happening|going_on in PLACE with|about|regarding X\n" + // what's happening in france with [pensions]
	"place: HOW do|does|did they|people|you do|run|organise|teach|make|pay_for|handle X in PLACE\n" + // how do they do [school lunches] in finland
	"place: HOW do|does X work in PLACE\n" + // how does [parental leave] work in sweden
	"place: ADJ local|regional|NATION ADJ DOC|VIEW ON|of|to|towards X\n" + // german news about [migration]
	"place: ADJ DOC ON|of X from|in [the]? PLACE\n" + // news about [migration] from germany
	"place: ADJ experience|experiment|trial with|of X in PLACE\n" + // experience with [congestion charges] in london
	"place: what BE being_said|happening|people_saying|going_on|the_situation in PLACE ON|with X\n" + // what is being said in italy about [pasta prices]
	"place: T in|from the? ADJ NATION ADJ DOC\n" + // [heat pumps] in german newspapers
	"place: T , what DO? people|they|locals|PERSONS SAY in|from|over_in PLACE\n" + // [trains]: what do they say in germany
	"place: T , HOW DO? people|they|locals|PERSONS SEE|HANDLE it|them|this? in|from|over_in PLACE\n" + // [trains]: how do they see it in germany
	"place: T as COVERED in|across|throughout PLACE\n" + // [cycling helmets] as discussed in denmark
	"place: T from abroad\n" + // [brexit] from abroad
	"place: what DO? they|people SAY abroad|in_other_countries ON X\n" + // what do they say abroad about [brexit]
	"place: HOW DO? foreigners|other_countries|other_nations|the_rest_of_the_world SEE X\n" + // how foreigners see [brexit]
	"place: HOW DO? PLACE|NATION HANDLE X\n" + // how does sweden handle [waste]; how sweden handles [waste]
	"place: T in other countries\n" + // [speed limits] in other countries
	"place: NATION opinion|opinions|view|views|perspective|media X\n" + // german media [heat pumps]
	"place: T DET? NATION ADJ VIEW|DOC|POV|attitudes|voices\n" + // [trains] german newspapers; [trains] the german view
	"place: T news|press|newspapers|media|reports|articles from|in|of? PLACE\n" + // [trains] news germany
	""
