package perspective

// speakerClasses: who speaks.
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

// whenClasses: when and where.
const whenClasses = "" +
	"YEAR\n" +
	"DECADE forties twenties thirties fifties sixties seventies eighties nineties noughties\n" +
	"WHEN yesterday; YEAR on|onward?; MONTH YEAR?; COMING|recent " +
	"summer|winter|spring|autumn|night|weekend|MONTH|times|days|year|month|week|decade|century; DET? EARLY NTH century; " +
	"PERIOD\n" +
	"EARLY roaring swinging early mid late early- mid- late-\n" +
	"PERIOD antiquity nowadays; DET? EARLY? DECADE; DET? DECADE and DET? DECADE; DET EARLY? NTH century; NTH century REST; " +
	"DET? COMING NUM? months|year|decade|century|generation; recent years|decades|months|times; DET? SPAN; NUM " +
	"years|decades time?; the next NUM years\n" +
	"COMING last past previous next coming this recent\n" +
	"MONTH monday tuesday wednesday thursday friday saturday sunday january february march april may june july august " +
	"september october november december spring summer autumn winter\n" +
	"NTH 21st 20th 19th 18th 17th 16th 15th 14th 13th 12th 11th 10th twentieth nineteenth eighteenth seventeenth sixteenth " +
	"fifteenth twenty-first last next this\n" +
	"NEWS news article report story post study coverage update headline statistics figures poll survey reporting review " +
	"interview paper text analysis commentary reportage bulletin press blog essay source piece studies; " +
	"newspaper|magazine|press|news articles|reports|coverage|stories|headlines|clippings\n" +
	"TIMEP today yesterday nowadays recently lately; when it|they|we was|were|came|had|did REST; " +
	"since|after|before|until|till|post|pre|from|in|during|throughout|within|over|around|circa|from_before|from_after|from_around " +
	"WHEN; from today|yesterday|this_week|this_month|this_year|last_week|last_month|last_year; " +
	"since|after|before|from_before|from_after DET? ADJ EVENT; up_to|prior_to WHEN; between|from YEAR " +
	"and|to|until|till|through|- YEAR; between WHEN and WHEN; newer|older|younger|later|earlier than WHEN; " +
	"newer|older|younger than DET? NUM years|decades|months; a|some|about? NUM? hundred|thousand? " +
	"years|year|decades|decade|months|weeks|days ago|earlier; ages|centuries|generations ago; this|last|past|next " +
	"day|week|weekend|month|year|morning|summer|winter|spring|autumn; back then; back in WHEN; not|no|nothing " +
	"older|younger|earlier|later|newer than|before|after WHEN|REST; in|within|over|during DET? COMING NUM? " +
	"years|months|weeks|days|year|month|week|days; back|way then|in WHEN; at|around|by the " +
	"time|turn|end|beginning|start|height|dawn of REST; at the time; in|during|since DET|those? " +
	"ancient|early|olden|old|those times|days; these|those days; in|during|since|before|after the? SPAN|EVENT|PERIOD; " +
	"in|during ADJ SPAN; NUM|few|some years|decades|centuries|generations ago|earlier|before|back; from? between the_wars; " +
	"of|from the|that time|day|era|period|age; at|in|during the time|age|era|reign|days|heyday of REST; in|during|from the " +
	"ADJ era|period|age|years; half a century|decade ago; over|through|throughout|across the? centuries|decades|ages|years; " +
	"a|one|half_a|NUM? century|centuries|generation|generations|decade|centuries ago|earlier|back; way? back in WHEN; in " +
	"recent|former|earlier|olden|past|ancient|modern years|times|days|decades|centuries; since|from|after|before the? ADJ " +
	"EVENT\n" +
	"SPAN past future pandemic lockdown renaissance enlightenment reformation apartheid colonialism feudalism communism; " +
	"middle|dark|early|old|olden ages|days|times; cold war; early days|years REST; industrial revolution; great depression; " +
	"ancient|medieval|victorian|modern|roman|colonial|soviet|prehistoric|biblical|tudor|edwardian " +
	"times|rome|greece|egypt|days|era|age|period|england|britain|europe|history; bronze|iron|stone|space|victorian|digital " +
	"age|era; second|first world war; world war one|two|i|ii|1|2; interwar|post-war|postwar period|years|era; " +
	"war|wars|revolution|crisis|internet|reunification|election|independence|reform|recession|crash|invasion; weimar REST; " +
	"reign|rule|era|age of REST; pre-war|interwar|post-war|wartime years|era|britain|germany|period; " +
	"ancient|nazi|imperial|weimar|soviet|classical germany|italy|russia|rome|france|greece|china|athens; " +
	"vietnam|gulf|civil|korean war|wars; the ADJ revolution|age|era|times|period|years|presidency\n" +
	"AGED newer breaking fresh pre-war post-war prewar postwar pre-pandemic post-pandemic pre-covid yesterdays todays " +
	"recent latest new newest current contemporary modern old older early historical historic past medieval victorian " +
	"ancient present-day outdated vintage future today's yesterday's up-to-date recently newly freshly nineties eighties " +
	"seventies sixties fifties forties thirties twenties bygone archaic antique renaissance baroque prehistoric " +
	"pre-industrial wartime soviet-era up-to-the-minute contemporaneous interwar inter-war postmodern; up to date; present " +
	"day; this|last|next|this_past|past week|month|year|summer|winter|night|weekend|weeks|months|years; most " +
	"recent|current; post|pre YEAR; DECADE|YEAR; NTH century; long ago; recently|newly|freshly|just " +
	"published|released|written|posted; " +
	"this_week's|this_month's|this_year's|last_week's|last_month's|last_year's|last_summer's|yesterday's|today's; " +
	"early|mid|late DECADE; cold war|civil_war; DET? EARLY? NTH century\n" +
	"EVENT handover eruption collapse armistice invention introduction merger unification partition ban war revolution " +
	"crisis fire famine plague flood earthquake election referendum pandemic reform recession crash invasion independence " +
	"reunification internet conquest brexit covid smartphone television email railway 9/11 ww1 ww2 strike lockdown republic " +
	"empire monarchy occupation blitz troubles euro wall regime dictatorship coup uprising massacre assassination " +
	"annexation liberation disaster bombing outbreak epidemic boom bubble bailout scandal iphone web telephone aeroplane " +
	"industrialisation industrialization globalisation globalization gdpr chatgpt ai suez hiroshima fukushima chernobyl " +
	"waterloo\n" +
	"PUBLISHED published written printed made released posted appeared dated composed filed broadcast aired updated\n" +
	"FORECAST prediction forecast outlook prognosis prognoses prospects projection expectations scenarios visions vision " +
	"forecasts predictions\n" +
	"LEAN anarchist nationalist fascist neoliberal ecosocialist monarchist left-wing right-wing leftwing rightwing leftist " +
	"rightist liberal conservative progressive centrist neutral unbiased impartial nonpartisan non-partisan partisan " +
	"republican democratic democrat socialist libertarian left-leaning right-leaning far-right far-left marxist communist " +
	"populist tory trotskyist maoist neoconservative social-democratic social-liberal christian-democratic right-of-centre " +
	"left-of-centre alt-right ultraconservative ecologist euroskeptic eurosceptic pro-business reactionary whig trumpist " +
	"thatcherite peronist gaullist; left|right wing|leaning; far|hard|centre|center|radical|alt left|right; the political? " +
	"left|right|centre|center; centre-left|centre-right|center-left|center-right; social|christian|liberal " +
	"democratic|democrat; left|right of centre|center; classical|classically liberal; politically " +
	"left|right|neutral|conservative|liberal|independent|moderate; far|ultra right|left|conservative\n" +
	"LEANDOC columnists politicians mps thinkers bloggers pundits commentators senators analysis analyses media press " +
	"outlet newspaper politician argument blog websites voices commentators take line account source politics camp circles " +
	"journalists writers intellectuals economists sources magazine outlets papers opinions standpoint broadsheet tabloid " +
	"daily think-tank think-tanks activists; think tanks; think tank\n" +
	"LAND africa america asia europe australia scandinavia afghanistan albania algeria angola argentina armenia austria " +
	"azerbaijan bangladesh belarus belgium bolivia bosnia botswana brazil britain bulgaria burma cambodia cameroon canada " +
	"chile china colombia congo croatia cuba cyprus czechia denmark ecuador egypt england estonia ethiopia fiji finland " +
	"france georgia germany ghana greece greenland guatemala haiti honduras hungary iceland india indonesia iran iraq " +
	"ireland israel italy jamaica japan jordan kazakhstan kenya korea kosovo kuwait laos latvia lebanon libya lithuania " +
	"luxembourg madagascar malawi malaysia mali malta mexico moldova monaco mongolia morocco mozambique myanmar namibia " +
	"nepal netherlands holland nicaragua niger nigeria norway oman pakistan palestine panama paraguay peru philippines " +
	"poland portugal qatar romania russia rwanda senegal serbia singapore slovakia slovenia somalia spain sudan sweden " +
	"switzerland syria taiwan tanzania thailand tibet tunisia turkey uganda ukraine uruguay uzbekistan venezuela vietnam " +
	"wales yemen zambia zimbabwe scotland usa us uk eu uae california texas florida alaska hawaii bavaria catalonia quebec " +
	"siberia balkans london paris berlin rome madrid vienna moscow tokyo beijing shanghai delhi mumbai cairo lagos nairobi " +
	"sydney melbourne toronto chicago boston washington seattle dublin edinburgh glasgow manchester liverpool amsterdam " +
	"brussels copenhagen oslo stockholm helsinki warsaw prague budapest athens lisbon barcelona milan munich hamburg zurich " +
	"geneva istanbul jerusalem bangkok seoul detroit houston dallas miami montreal vancouver kyiv venice naples dubai " +
	"abroad kyrgyzstan liberia macedonia antarctica oceania americas benelux caribbean himalayas kashmir punjab bengal gaza " +
	"andalusia normandy brittany sardinia sicily tuscany lapland cornwall yorkshire ulster ontario ohio arizona oregon " +
	"virginia michigan massachusetts queensland johannesburg accra tehran baghdad kabul karachi manila jakarta osaka perth " +
	"ottawa philadelphia havana santiago belfast birmingham marseille frankfurt belgrade sofia\n" +
	"PLACE ; LAND; the LAND|NATION; DET? ADJ LAND; new york|zealand|delhi|orleans|england|jersey|mexico; new york city; " +
	"south|north|east|west|central|eastern|western|southern|northern|latin LAND; united|the_united " +
	"states|kingdom|arab_emirates; saudi arabia; sri lanka; hong kong; costa rica; middle|near|far|the_middle|the_far east; " +
	"san francisco|diego; los angeles; las vegas; cape town; the " +
	"european_union|eu|us|uk|usa|netherlands|balkans|global_south|west|east; rural|urban areas|regions; other countries; " +
	"developing|poor|rich|african|asian|european countries; the? " +
	"arab|muslim|western|developing|third|islamic|english-speaking|anglo-saxon world; the " +
	"gdr|ussr|soviet_union|czech_republic|gulf|caribbean|alps; great britain; northern ireland; basque country\n" +
	"NATION cypriot czech danish dane dutch finn finnish french frenchmen greek irish scot swiss thai welsh polish pole " +
	"spanish spaniard filipino iraqi baltic arab briton brit swede turk serb slovak londoner cuban kiwi aussie yankee " +
	"emirati texan berliner basque flemish kurd maori inuit tamil laotian slovene croat montenegrin kosovar luxembourger " +
	"icelander greenlander omani ivorian nigerien argentine quebecois asian slavic latino hispanic saudi nordic; new " +
	"zealand; south|north african|korean|american; latin american; middle eastern; sri lankan; " +
	"north|south|east|west|central|eastern|western|southern|northern|sub-saharan|saharan " +
	"african|asian|european|german|indian|italian|korean|african|american|english|irish|welsh|scottish|french; " +
	"saudi|costa|puerto arabian|rican; hong kong\n" +
	"NATIONALS\n" +
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

// evidenceClasses: evidence.
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

// ordinaryClasses: roots that look like the grammar and are none.
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
