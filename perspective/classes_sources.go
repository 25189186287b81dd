package perspective

// speakerClasses: who speaks, and for whom texts are written.
const speakerClasses = "" +
	"VIEW view opinion perspective take thought viewpoint stance attitude position experience verdict feelings reaction " +
	"response beliefs reflections insights concerns ideas side voice testimony standpoint stand pov assessment judgement " +
	"judgment sentiment input evaluation recollections testimonies impressions demands expectations hopes judgments " +
	"conclusions remarks voices; point of view; personal experience; two cents; side of the story\n" +
	"VIEWON on about regarding toward concerning to with of\n" +
	"IDEA idea claim notion view belief myth argument statement thesis hypothesis proposition motion assertion theory " +
	"position fact\n" +
	"POV perspective viewpoint standpoint angle side eyes view lens vantage pov perspectives; point of view; points of " +
	"view; vantage point\n" +
	"COVERED imagined depicted pictured described covered reported seen portrayed discussed described presented told viewed " +
	"shown reflected debated explained interpreted experienced remembered defined understood analysed analyzed judged " +
	"summarised summarized narrated related recounted retold written answered rated assessed evaluated perceived regarded " +
	"felt lived\n" +
	"LEARNERS skeptics sceptics beginner novices newbies dummies kids children child toddlers preschoolers everyone " +
	"laypeople laymen laypersons non-experts nonexperts starters newcomers amateurs non-scientists non-programmers " +
	"nontechnical idiots preteens tweens non-mathematicians greenhorns rookies schoolchildren schoolkids left-handers; ADJ " +
	"beginners|learners|novices|starters|newbies|laypeople|kids|children; DET ADJ " +
	"layperson|layman|beginner|child|novice|newbie|kid|toddler|student|teenager|lay_person|general_audience|five_year_old|ten_year_old|5_year_old|general_public; " +
	"people|those|someone|anyone who|without|new|with_no|with REST; non experts|specialists|scientists|programmers; NUM " +
	"year olds; ADJ LEVEL ADJ " +
	"people|players|adults|readers|users|persons|drivers|cooks|runners|swimmers|riders|climbers|coders|audiences|PERSONS; a " +
	"person|reader|audience|layman who|with|without REST; primary|elementary|high|middle school kids|children|students; lay " +
	"people|readers|persons; the uninitiated|layman|elderly|self-employed|unemployed|rest_of_us|general_public; LEVEL " +
	"laymen|amateurs|newcomers|starters; DET? NUM year|years old|olds; complete|total|absolute|utter|real|very " +
	"idiots|novices|dummies|beginners|noobs|starters|laymen; those|people|anyone new|unfamiliar|not REST; " +
	"young|younger|small|little|school|older children|kids|people|readers|learners|audience; the " +
	"general_reader|lay_reader|average_person|clueless|curious|impatient|layperson|common_man; all ages; my ADJ " +
	"grandma|grandmother|grandpa|mum|mom|dad|son|daughter|kids|children|parents|kid|child|class|pupils|students|nephew|niece|brother|sister; " +
	"people|those|someone|anyone|folks over|under|aged|living|starting|learning|coming|moving|switching REST; " +
	"windows|mac|excel|iphone|android|python|java|office users|owners|developers|programmers\n" +
	"LEVEL advanced experienced intermediate complete absolute total non-technical nontechnical older elderly busy shy lazy " +
	"young new first-time aspiring curious ordinary normal disabled blind deaf hobby amateur professional serious " +
	"occasional casual\n" +
	"NOVICE never know understand never dont cant hate struggle; have|has never; are|is new|clueless|bad|scared; " +
	"don't|can't|cannot|have_no|has_no|do_not; just|only started|starting|start|begin|began\n" +
	"PRODUCT recipes exercises activities plan chords quiz stories coats chairs visas boots apps videos support laptop " +
	"camera pension presents insurance grant loan mortgage scholarship uniform software app bag accessories gift discount " +
	"job story favors favours; best|cheap|top|free|fun|cheapest|sample|used X; X? " +
	"rental|mat|ball|helmet|food|pages|cases|pillow|blankets|cake|cakes|recipes|quotes|puzzles|riddles|poems|names|crafts|costume|shampoo|sunscreen|lunch|backpack|rings|watches|wallets|perfume|dosage|syrup|worksheets|headphones|tablet|phone|phones|laptops|chair|desk|shelf|lamp|gloves|socks|hats|ideas|gift|present|toys|shoes|clothes|jobs|songs|jokes|movies|costumes|snacks|discount|tickets|crafts|games|lesson|class|classes|course|camp|club|time|menu|schedule|clothing|books|bike|bed|beds|museum|doctor|dentist|hospital|party|day|swimming|programme|program|tv|shows|films|haircut|glasses|vitamins|medicine|furniture|room|hotel|holiday|parks|playgrounds\n" +
	"SIMPLE simply simplified understandably plainly; in " +
	"simple|plain|easy|layman's|laymans|everyday|basic|accessible|simplest|clear terms|language|words|english; made " +
	"easy|simple; in a nutshell; in words|terms|language a|an|any|my|that|everyone REST; in " +
	"simple|plain|easy|layman's|laymans|layperson's|everyday|basic|accessible|simplest|clear|non-technical|child-friendly|kid-friendly|lay|straightforward|non-scientific|beginner|normal|human|jargon-free " +
	"terms|language|words|english|manner|way|style|sentences; without DET? " +
	"jargon|technical_terms|maths|math|formulas|equations|technical_jargon|big_words; dumbed down; made " +
	"simple|easy|understandable; broken down\n" +
	"PERSONS parents children kids teenagers students pupils teachers nurses doctors patients farmers workers employees " +
	"employers tenants landlords women men pensioners families commuters drivers cyclists businesses consumers taxpayers " +
	"voters immigrants refugees renters homeowners freelancers fishermen shopkeepers tourists residents investors artists " +
	"migrants owners seniors accountants designers developers gardeners managers leaders lovers learners readers writers " +
	"grandparents grandmothers mothers fathers scientists economists historians soldiers athletes lawyers engineers " +
	"programmers journalists experts architects musicians police midwives electricians plumbers librarians waiters dentists " +
	"surgeons therapists psychologists physiotherapists paediatricians pediatricians dietitians nutritionists coaches " +
	"trainers referees bankers judges firefighters builders mechanics teens teenager neighbours neighbors locals villagers " +
	"citizens couples singles introverts babies toddlers dads moms mums retirees foreigners expats backpackers travellers " +
	"travelers vegans vegetarians believers christians muslims atheists priests cops bosses entrepreneurs carers caregivers " +
	"gamers chefs authors vets veterans philosophers charity startup companies firms volunteers\n" +
	"SPEAKERS astronauts priests rabbis imams coaches referees pilots patients mums moms dads widows surgeons veterans " +
	"celebrities ceos models guides guests authorities unions charities landlords academics apprentices bureaucrats clients " +
	"cooks critics detectives doormen executives generals graduates officials paramedics poets policemen policewomen " +
	"postmen presidents principals salespeople scholars sportsmen staff trainees workmen youths adolescents adults geeks " +
	"nerds extroverts sons siblings twins grandchildren divorcees stepparents bishops hindus jews catholics agnostics " +
	"billionaires millionaires royals criminals inmates convicts victims witnesses addicts alcoholics diabetics hosts " +
	"millennials undergraduates postgraduates alumni representatives enthusiasts nuns monks baristas; gen|generation " +
	"z|x|y|alpha; baby boomers; " +
	"young|old|older|elderly|poor|rich|homeless|disabled|deaf|blind|black|white|gay|trans|religious|working-class|ordinary|local|rural|city|left-handed " +
	"people; working|single|new|young mothers|mums|moms|parents|fathers|dads; civil servants; sex workers; head teachers; " +
	"taxi|bus|truck|lorry|train|dog|cat|pet|home|car|shop|business|restaurant|factory|primary|secondary|maths|music|language|teaching|union|church|religious|community|police|prison|customs|social|care|shift|foster|estate|flight|cabin|marathon|hiring|project " +
	"PERSONS|drivers|owners|workers|leaders|officers|agents|attendants|runners|assistants\n" +
	"EASY beginner-friendly kid-friendly child-friendly introductory easy-to-read easy accessible simplified jargon-free " +
	"beginner-level age-appropriate child-appropriate non-technical understandable kid-level child-level dumbed-down; " +
	"beginner|kid|kids|child|family|layman friendly; beginner|advanced|expert|introductory|entry level; easy " +
	"to_understand|to_read|to_follow; plain english|language\n" +
	"QUAL muslim christian jewish catholic hindu buddhist indigenous rural urban single elderly former retired ex female " +
	"male black white gay trans; LEVEL; police|ex\n" +
	"LENS feminist marxist postmodern freudian psychoanalytic queer existentialist postcolonial humorous funny comic " +
	"satirical poetic philosophical spiritual romantic cynical optimistic pessimistic nostalgic lighter darker human " +
	"personal contrarian ironic mystical surprising sentimental\n" +
	"READING reading interpretation look take view perspective reflection meditation analysis account approach side " +
	"thoughts critique lens\n" +
	"GUIDE advice tips guide information info guidance help resources material lessons explanation introduction handbook " +
	"recommendations ideas facts news tutorial intro overview primer basics walkthrough explainer howto suggestions counsel " +
	"insights; crash course\n" +
	"COPE ; react|respond|adapt to; deal|cope|live with; " +
	"remember|describe|judge|approach|understand|interpret|handle|manage|talk_about; " +
	"reacts|responds|adapts|reacted|responded|adapted|adjust|adjusts|relate to; deals|copes|lives|struggle|struggles|cope " +
	"with; manage|approach|survive|experience|experienced\n" +
	"ISNT isn't aren't wasn't isnt arent; is|are|was|were not\n" +
	"HAS with having sharing teaching conveying has; that|which " +
	"has|have|share|teaches|teach|make|carry|convey|tell|illustrate|show|expresses\n" +
	"TALE example things anything story tale fable parable myth legend case situation event narrative anecdote something " +
	"folktale fairytale scandal incident crisis crises episode dilemma scenario poem phenomena phenomenon allegory conflict " +
	"affair revolution disaster dispute tragedy comedy plot rebellion controversy rivalry experiment works; fairy|folk " +
	"tale; short story; turning|historical point|moment|event|figure; urban legend; everyday|daily|real-life " +
	"situation|example|thing|case\n" +
	"LEANS greens left-wingers right-wingers labour greens gop tory conservatives liberals republicans democrats socialists " +
	"libertarians progressives centrists leftists marxists communists tories rightists nationalists populists neoliberals " +
	"neocons trotskyists maoists whigs remainers brexiteers; the political? left|right|far-right|far-left; " +
	"social|christian|liberal|free democrats; the far|hard|radical left|right; DET? " +
	"green|labour|conservative|republican|democratic party|politicians|mps; right|left wingers; DET? ADJ LEAN " +
	"people|folks|voters|camp|side|crowd|wing|movement|parties|party; DET? left|right wing; the " +
	"political|far|hard|radical|extreme|alt|populist|religious|christian|new left|right|centre|center; the " +
	"conservative|liberal|progressive|leftist|socialist side|camp\n" +
	"PERSON man woman child person parent expert mum mom dad kid teen nun monk thief wife husband granny grandma grandpa " +
	"grandfather grandmother; PERSONS|SPEAKERS\n" +
	"TALK talk tell speak discuss describe explain share report recall recollect remember rant complain debate reflect " +
	"comment reveal admit confess argue react respond think reminisce moan vent chat wonder worry analyse analyze answer; " +
	"speak|speaks|speaking|spoke|spoken out|up; tell|tells|telling us|you|their_story; share|shares|sharing their|his|her " +
	"ADJ views|opinions|thoughts|experience|experiences|stories|advice; told|wrote|spoke|thought|said|say|says\n" +
	""

// analogyClasses: analogies.
const analogyClasses = "" +
	"WORK movies music novel painting album game book film movie song band city town country show series podcast app " +
	"website sport hobby cheese dish drink restaurant author artist breed place toy fruit comic musical perfume car company\n" +
	"STORY proverb saying joke riddle story tale fable parable myth legend case situation event novel book narrative " +
	"anecdote example something anything things plot poem folktale fairytale scandal incident crisis crises debate problem " +
	"episode dilemma scenario play text article idea argument allegory phenomena phenomenon conflict revolution affair " +
	"disaster experiment dispute; fairy|folk tale; short story; news item|story; chapter|moment|period|time in history; " +
	"everyday|daily|real-life|real_life|real situation|example|thing|case|experience|phenomenon; urban legend; bible story; " +
	"bedtime|children's|kids|short stories|story\n" +
	"MORAL thing moral message lesson theme meaning plot structure point idea pattern storyline dynamic twist ending logic " +
	"problem conflict principle setup premise lessons teaching truth wisdom ethos conclusion gist spirit arc motif outcome " +
	"story narrative; underlying|central|basic|core|moral message|idea|lesson|point|theme; kind|sort of " +
	"message|lesson|ending|moral\n" +
	"LIKEX like resembling paralleling mirroring echoing mirrors echoes parallels resemble; " +
	"similar|analogous|comparable|akin|parallel|equivalent|related to|with; that|which is|are " +
	"like|similar_to|analogous_to|comparable_to; that|which remind me|one|you? of; that|which " +
	"resemble|mirror|parallel|echo|echoes; that|which sound|feel|look|taste|work|behave like; reminiscent of; in the " +
	"style|spirit|vein of; along the lines of; " +
	"very|much|a_lot|just|quite|a_bit|a_little|kind_of|sort_of|more_or_less|exactly|somewhat|rather " +
	"like|similar_to|akin_to; much|exactly|almost|nearly|basically? the same as; " +
	"work|works|working|behaves|behave|behaving|functions|function|functioning|feels|feel|feeling|operates|goes|looks|sounds|plays|unfolds|ends|ended|happened " +
	"like|similar_to|similarly_to|just_like; that|which? " +
	"work|works|behaves|behave|functions|function|operate|operates|go|goes|unfolds|ends in? the same way as|like; " +
	"comparable|parallel|similar|close|equal|equivalent|analogous in_spirit|in_structure|in_nature? to|with; in|of the same " +
	"vein|spirit|style|mould|mold|manner|kind|type as\n" +
	"ANALOGY analogy metaphor parallels simile analogies similes\n" +
	""

// evidenceClasses: evidence, and fields and aspects of a subject.
const evidenceClasses = "" +
	"STATS statistics stats figures data survey poll polling study research evidence experiments trials meta-analysis " +
	"meta-analyses meta-study anecdotes testimonials testimonies findings percentages numbers census estimates datasets " +
	"dataset quantification; facts and|& figures; meta analysis|analyses|study; study|trial|research|survey " +
	"results|findings; user|patient|customer|real_life experience; " +
	"case|research|scientific|empirical|clinical|academic|field " +
	"study|evidence|data|research|trials|findings|results|paper|literature|consensus; survey|opinion|poll " +
	"data|results|polls|findings|surveys; FIRSTHAND; hard|official|key numbers|figures|data|evidence|facts|statistics; " +
	"numbers|facts and figures|facts|numbers|statistics; facts and numbers; studies|figures|data and " +
	"statistics|data|figures|studies; experimental|research|lab|trial results; facts and|& data|numbers|statistics|stats; " +
	"data and|& facts|numbers|evidence; systematic|literature|evidence review|reviews; witness|eyewitness " +
	"statements|reports|accounts|testimony|testimonies; test results; " +
	"pilot|cohort|longitudinal|long-term|observational|controlled|comparative|laboratory|lab " +
	"studies|study|trials|experiments; rcts; figures and numbers; " +
	"documented|recorded|reported|confirmed|proven|verified|known cases|instances|sightings|examples; " +
	"official|government|police|hospital|industry|census data|figures|statistics|numbers|records; example cases\n" +
	"FIRSTHAND eyewitnesses survivors; reports|accounts|stories of personal experience with?; " +
	"patient|user|customer|traveller|traveler story|experience|account|reports|testimonials; " +
	"personal|survivor|first-hand|firsthand|first_hand|eyewitness|first-person|first_person|true|real|real-life|real_life " +
	"story|experience|account|reports|anecdotes|testimony|testimonials; experience|field|case report; " +
	"witness|eyewitness|survivor|insider statements|reports|accounts|testimony|testimonies|stories; " +
	"lived|real-world|real_world|own|actual|genuine|honest|individual experience|experiences; reports of experience with?\n" +
	"SCIENTIFIC scientific hard empirical clinical statistical medical experimental peer-reviewed academic scholarly " +
	"randomised randomized science-based evidence-based quantitative qualitative longitudinal observational rigorous " +
	"double-blind placebo-controlled; peer reviewed; double blind\n" +
	"NOSTUDY business social media gender film case cultural religious american african asian womens liberal classical " +
	"environmental legal urban bible biblical work development international graduate theatre dance religion language area " +
	"jewish catholic islamic peace security policy science translation disability museum celtic\n" +
	"EXPERT expert experts' expert's experts professional specialist specialists\n" +
	"STATON on about regarding concerning with into behind\n" +
	"REAL ; real|real-life|real_life|real-world|real_world|concrete|practical|specific|historical|everyday|famous|actual " +
	"world|life|example|case|instance; case study; " +
	"real-life|real-world|real_life|real_world|practical|concrete|specific|historical|actual|everyday " +
	"example|cases|applications|instances\n" +
	"SCIENCE research science data evidence statistics numbers surveys polls study figures scientists researchers; the " +
	"science|data|evidence|research|numbers|studies|statistics|figures|latest_research; scientific " +
	"studies|research|evidence; the latest|newest|current|recent|available " +
	"research|studies|evidence|data|science|numbers|findings; meta-analyses; scientific|empirical|medical|academic " +
	"evidence|research|literature|studies|consensus|community\n" +
	"FIELD economic economical legal ethical moral environmental ecological political social financial medical scientific " +
	"technical psychological religious cultural philosophical historical health security safety privacy fiscal military " +
	"practical educational business sociological theological commercial engineering\n" +
	"ASPECT cost aspect side dimension angle impact effect implication ramifications perspective consequences significance " +
	"importance\n" +
	"FOCUS ; with a|special|particular focus on; with focus|emphasis on; with an emphasis on; " +
	"focusing|focussing|focused|focussed on; with respect|regard to; in terms of; and its? effect|impact on\n" +
	""

// ordinaryClasses are parts of texts that look like requests for a perspective but are ordinary
// ones: see grammar_ordinary.go.
const ordinaryClasses = "" +
	"DEVICE ; ADJ " +
	"iphone|ipad|airpods|samsung|galaxy|kindle|macbook|laptop|pixel|phone|tablet|camera|glasses|guitar|violin|windows|bluetooth|wifi|printer|boiler|switch|defence|prosecution|christ " +
	"REST\n" +
	"EXTRA lyrics chords meaning definition soundtrack cast trailer synonym calculator called tracklist meme template " +
	"worksheet pdf summary dvd login printable excel wikipedia; movie|film YEAR; season|episode NUM; film|book review; " +
	"worksheet answers; discharge|application|claim|council|complaint form; list|chart|essay template|example_sentences\n" +
	"TITLED against; in defence|defense|praise|favour|favor|support of; DET? case for|against; reasons to; DET? dark|other " +
	"side of; why\n" +
	"OUTLET bbc sky fox cnn channel cbs nbc abc itv google yahoo apple hacker msn breaking cbc npr\n" +
	"GIVEN robert john james michael richard david christopher peter paul thomas george alan bryan lee gary ian matt\n" +
	"BOOK moon force realm ring rainbow folly\n" +
	"CODE git java javascript python excel sql bash css grep\n" +
	"AGENT governments schools parents companies universities police parliament church banks state society everyone " +
	"cyclists prisoners; LAND; the? LAND|PERSONS|NATION; DET? " +
	"government|state|eu|uk|us|bbc|nhs|rich|church|police|president|queen|king\n" +
	"IDIOM humanity gravity; all odds; the " +
	"odds|wind|clock|grain|wall|machine|law|current|ice|rules|sun|light|flow|tide|storm|rest_of_the_world|world|elements\n" +
	"NOVIEW plan schedule jim garp size length weight value date name color colour rule instructions recipe height column " +
	"price type order manual\n" +
	"WORDY word words synonym antonym triangle matrix matrices shape polygon font emoji name color colour number letter " +
	"fraction rectangle image photo\n" +
	"CAUSED fall decline collapse loss rise failure increase decrease growth pain delay crash war wars divorce extinction " +
	"revolution shortage drop bleeding bloating periods migraines headaches cramps overheating vomiting diarrhoea ww1 ww2 " +
	"fatigue fever swelling cough rejection dismissal refusal sweats pressure depression swollen cancellation seasons " +
	"outbreak ache weakness tiredness nausea dizziness itching insomnia absence migration resignation downfall defeat " +
	"victory; death of|rate|toll\n" +
	""
