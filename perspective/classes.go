package perspective

import "strings"

// Words that bound the items ADJ, WHO, X and T.
const (
	// In a claim, shoulds say what should be.
	shoulds = " should must shouldn't shouldnt mustn't ought "
	// questions begin a question, so what follows them is not a topic.
	questions = " who whom whose what when where why how which is are was were do does did can could should would will may shall " +
		"has have had what's who's where's how's isn't aren't don't doesn't "
	// function words do not stand before a noun as an adjective does, and do not begin a name.
	function = " of to in on for from with about by at as is are was were be been do does did how why what who when where which can " +
		"could should would will may if that this it not or than so because since against like into per versus vs i you we he she they " +
		"me find show give tell explain make "
	// nobody has words that do not name a speaker, and adjectives that describe none. The name of a
	// speaker does not end with a word of speechless.
	nobody = " please through i you we he she it they me us him them this that these who what which best top great beautiful scenic aerial satellite " +
		"panoramic street second different good bad about on for to of with is are "
	speechless = " eyes camera cameras plant plants animal animals cell cells computer computers robot robots dog dogs cat cats bee bees " +
		"bird birds bat bats fish horse horses snake snakes insect insects fly flies owl owls shark sharks spider spiders cow cows "
	// A root that follows other words does not begin with one of the auxiliaries. No root begins
	// with a word of notFirst, or ends with one of notLast.
	auxiliaries = " is are was were isn't do does did can could should would don't doesn't didn't can't couldn't won't "
	notFirst    = " there in at with about my your since ever of or and than to 's - – — | & "
	notLast     = " so too very the a an of and or to for about on in with is are was - – — | & "
)

// classes are what names in capitals stand for in the patterns of the grammar, one class
// on each line: words, and after each semicolon a pattern. NUM, YEAR and DECADE are also
// words that tests know.
const classes = "" +

	// Who asks, and for what.
	"WHATS what's whats; what BE\n" +
	"BE is are was were be\n" +
	"DO do does did would might could can will has have\n" +
	"SEEN seen viewed perceived regarded handled regulated experienced done discussed debated covered reported portrayed judged treated taught celebrated described; talked|thought|written about|of; reported|written on; looked at|on|upon|down_on\n" +
	"HANDLE handle see view regulate treat approach manage tackle perceive; deal with; think|feel about\n" +
	"DET the a an some any its their\n" +
	"ON about on regarding concerning over\n" +
	"OF of about on regarding concerning to with in for against toward around behind\n" +
	"FOR for supporting defending favoring favouring pro; in favour|favor|support|defence|defense of; that|which MAY? DEFEND\n" +
	"CON against opposing contra anti; in opposition to; opposed|contrary to; critical of; that|which MAY? OPPOSE\n" +
	"NUM two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty hundred few couple several; " +
	"couple|few of\n" +
	"PRONOUN it this them\n" +
	"LEAD find need want show explain know understand list name write; looking|look|searching|search|ask|asking for; give|tell|show|get|send|find " +
	"me|us; write|writing|presentation|essay|speech|debate about|on; give|write|hold|prepare|do|make\n" +
	"TASK debate essay homework presentation assignment class project paper speech exam thesis discussion school course seminar article blog\n" +
	"TAIL ; for|in my|our ADJ TASK REST; for|in class|school|uni|university|college tomorrow|today|please|project|debate|essay\n" +
	"HOWTO ; how to; how|where DO WE\n" +
	"CAN can could would might should\n" +
	"ABOUT about on explaining saying arguing showing proving claiming; that|which say|says|explains|explain|argue|argues\n" +
	"WERE were was been; that|which were|was\n" +
	"BACK ; back\n" +
	"MUCH ; most|closest|more|very; a_bit|a_little|somewhat\n" +
	"VERY still ever so really very actually always often such just also too generally inherently fundamentally morally\n" +
	"FORWHOM ; for|to REST; in|at|as|from|by|on REST; and|but REST\n" +

	// Things that take a side by a word after them.
	"ARG argument reason point case evidence proof opinion voice claim statement view thought consideration grounds facts " +
	"material argumentation position stance speech speeches plea something anything things; talking points\n" +
	"DOC update article text paper editorial essay post blog book report story news passage document column letter comment review " +
	"source study research piece op-ed oped commentary coverage interview quote poem writing analysis analyses press media " +
	"newspapers headlines website webpage outlet magazine forum channel lecture talk pamphlet documentary podcast speech speeches sermon letter tweet reporting journalism literature novel publications opinion view accounts something anything " +
	"perspective reactions discussion debate; blog|news|newspaper|magazine|press|media|opinion " +
	"article|post|report|story|coverage|piece|sources|clippings|releases; op ed|eds; points of view; letters to the editor; experience|field|case report\n" +
	"PEOPLE people someone somebody anyone anybody voices groups politicians parties experts scientists parents those " +
	"protesters campaigners activists citizens residents economists writers authors thinkers philosophers teachers doctors " +
	"celebrities states countries others many most some everyone folks\n" +
	"SAY say says said think thought believe feel argue claim write wrote report tell teach teaches suggest show shown found recommend " +
	"advise; have|has to say; tell us; have|has said|written\n" +
	"SEE see sees saw view viewed perceive experience experienced regard rate judge; feel|felt|think|thought|talk|talked|think|write about|of|on; react|respond to; report|reports|reported on; look at|on\n" +
	"MAY would might could will can may really actually typically usually generally should must do did all; used to; " +
	"have|has to; tend to; is|are likely to\n" +

	// Sides, by nouns.
	"GOODS pros advantage benefit upside merit strengths positives virtues pluses plusses rewards perks; good " +
	"points|sides|things|aspects|parts; positive aspects|sides|effects|points|impact|things|consequences; bright|positive|good side; plus " +
	"points; selling points\n" +
	"BADS cons disadvantage drawback downside shortcomings weaknesses negatives harms dangers hazards risks pitfalls flaws " +
	"faults limitations minuses demerits perils evils failings threats; bad points|sides|things|aspects|parts|effects; " +
	"negative aspects|effects|points|impact|things|consequences|side; harmful|adverse effects|aspects|sides|consequences; " +
	"dark|ugly|negative|bad|downside|flip side; hidden costs|dangers; weak points|spots\n" +
	"HARMS problem harm damage trouble issue costs; BADS\n" +
	"HARMING have cause causes bring brings do does create creates pose poses involve involves carry carries; lead to\n" +
	"HELPING have has bring brings offer offers provide provides give gives create; come with\n" +
	"AND and & or / vs versus + n ,; as_well as\n" +
	"NOBENEFIT membership card loyalty account housing employee unemployment state child disability tax retirement veterans " +
	"death maternity fringe welfare social\n" +
	"NOCRITIC literary film new textual biblical art music food social higher comic\n" +
	"BOTH for/against pro-con pro-contra pros-cons pros/cons pros&cons pro/con pro/contra; pros|pro|pro's AND? DET? cons|con|contra|con's; cons|con AND? DET? " +
	"pros|pro; GOODS AND DET? ADJ BADS; costs|chances|opportunities AND DET? GOODS|risks|dangers|costs; advantages disadvantages; GOODS AND costs; BADS AND DET? GOODS; ARG? for AND? against; ARG? for AND the? ARG? against; ups and downs; GOODS AND DET? challenges|limits|limitations|problems|issues|hazards; ARG? against AND for; ARG pro AND " +
	"contra|con; DET? good|plus|positive|strong AND DET? bad|minus|negative|weak sides|aspects|points|things|parts|effects|impacts|consequences?; strengths AND limitations|weaknesses; " +
	"weaknesses AND strengths; promise|opportunities|rewards AND DET? peril|pitfalls|risks|dangers|threats\n" +
	"BOTHSIDES ; both|two sides|viewpoints|views|perspectives|camps; both|two|different sides; either side; two opposing " +
	"sides|views; all|different sides\n" +
	"BALANCED balanced two-sided nuanced impartial even-handed; two|both sided; even handed\n" +
	"LIKES like love enjoy support favour favor appreciate praise; like best\n" +
	"DISLIKES dislike hate oppose reject loathe criticise criticize\n" +
	"OR or vs versus / and & not; or not\n" +
	"TWOSIDED ; blessing|boon|opportunity|chance|benefit|help|asset|gift|progress OR DET? curse|bane|threat|risk|danger|burden|hindrance|harm|liability|setback; curse|bane|threat|risk|danger|harm|burden OR DET? blessing|boon|opportunity|chance|benefit|gift|asset|help; friend or foe; hero or villain; yay or nay; yes or no; right or wrong; help|helpful|useful|healthy|beneficial or harmful|hurtful|useless|unhealthy|dangerous; more harmful|harm|bad than helpful|good|beneficial; more helpful|good than harmful|harm|bad; pro or contra|con; for or against; good|bad or evil|bad|good; love|loved or hate|hated; do|dos or dont|donts\n" +
	"SIDES views viewpoints opinions sides arguments perspectives positions\n" +
	"ISSUE debate argument issue question controversy discussion story dispute\n" +
	"COUNTER resistance counterargument counter-argument counterpoint counter-point counterevidence counter-evidence objection " +
	"rebuttal refutation criticism critique opposition disagreement skepticism scepticism counterclaim counter-claim " +
	"hostility takedown; counter argument|evidence|claim|point|position; contra argument\n" +
	"WORRY attacks reservations complaints doubt worries fears concerns misgivings anger outrage backlash protest warning criticisms gripes\n" +
	"CRITICS opponent critic skeptics sceptics detractors haters adversaries doubters opposers naysayers\n" +
	"FRIENDS supporter advocate proponent defender backers admirers\n" +

	// Sides, by adjectives and verbs.
	"GOODADJ good great beneficial useful helpful better best right fair effective justified worthwhile awesome healthy " +
	"positive amazing wonderful excellent fantastic brilliant overdue underrated desirable sensible smart worth; worth it; " +
	"worth REST; DET good|great|smart|wise|right|better|best|positive|wonderful " +
	"idea|thing|choice|decision|investment|way|option|move|solution|policy|step|habit|deal|model; better than REST; good " +
	"news; the future; here to stay\n" +
	"NEEDED important essential necessary crucial vital valuable needed safe relevant\n" +
	"PLAINGOOD good great better right beneficial; DET good|great idea|thing|choice; better than REST; so|really " +
	"good|great; worth it\n" +
	"VERDICT smart wise sensible reasonable clever sustainable ethical unethical moral immoral fair unfair justified overrated underrated harmful wrong necessary cruel worthwhile outdated; any good; worth REST; " +
	"DET good|bad|great|smart|wise|sensible idea|thing|choice|decision|investment|move|deal|policy|system|solution; DET good|bad way to REST; " +
	"DET mistake|scam|hoax|failure|success|disaster|threat|waste_of_money|waste_of_time; the answer|solution|future; good|better|bad|worse for the? environment|planet|economy|society|democracy|teenagers\n" +
	"BANNED banned abolished outlawed stopped scrapped prohibited ended closed illegal boycotted; done away with; got rid of\n" +
	"ALLOWED allowed legal legalised legalized compulsory mandatory free permitted taxed regulated decriminalised privatised nationalised taught funded lowered raised reformed\n" +
	"BADADJ bad negative wrong harmful cruel unfair evil dangerous overrated useless terrible unethical immoral unjust pointless " +
	"toxic stupid awful unhealthy broken flawed inhumane outdated unnecessary unsustainable ineffective misguided " +
	"counterproductive unconstitutional horrible undemocratic racist sexist boring worse worst ridiculous inefficient " +
	"problematic nonsense rubbish garbage unsafe silly worthless unreliable misleading inaccurate unscientific hypocritical risky destructive ugly; DET bad|terrible|stupid|awful|poor|horrible|wrong " +
	"idea|thing|choice|decision|investment|way|option|move|deal|policy|habit; DET " +
	"disaster|mistake|scam|failure|waste|myth|problem|threat|fraud|danger|lie|joke|trap; DET waste of REST; not " +
	"a_good|good|the_right idea|answer|solution|enough|thing; not GOODADJ; worse than REST; bad news; doomed to fail; " +
	"killing|hurting|ruining|destroying|harming REST; not the answer|solution\n" +
	"PLAINBAD outdated useless pointless flawed unjust inhumane stupid terrible awful ridiculous controversial bad negative wrong harmful evil unfair overrated cruel unethical immoral worse; DET bad|terrible idea|thing|choice; DET mistake|scam|disaster|failure|threat|flop|problem; " +
	"worse than REST; so|really bad|harmful; considered harmful|bad|unethical|wrong|unfair|cruel\n" +
	"FAILS fail failed suck backfire; will|would fail|flop|collapse|never_work|not_work|backfire; " +
	"doesn't|don't|didn't|won't|can't|cannot|will_not|does_not|do_not|can_not|never|doesnt|dont|wont|cant " +
	"work|help|make_sense|pay|pay_off|matter|deliver REST; " +
	"harm|hurt|destroy|ruin|damage|kill|threaten|endanger|undermine|hinder|weaken REST; make no sense; make REST worse; " +
	"does|do more harm than good\n" +
	"WORKS work matter; make sense; make REST better; help|improve|benefit|save|protect|strengthen REST; does|do more good " +
	"than harm; pays|pay off; will work|succeed|win REST; beat REST\n" +
	"LIKE recommend like love support want prefer favour favor defend trust praise enjoy admire back welcome need choose embrace " +
	"endorse; believe in; are|is for; are|is in favour|favor|support of; agree with; are|is pro; vote|voted|argue for; " +
	"approve of\n" +
	"HATE quit regret hate dislike oppose reject distrust criticize criticise despise resist loathe ban condemn boycott opposed; " +
	"am|are|is|were|was against; are|is|were|was opposed|hostile to; disagree with; " +
	"don't|doesn't|do_not|does_not|dont|doesnt|didn't like|want|support|trust|believe_in|agree_with|need; disapprove of; " +
	"object|objected to; complain about; doubt|doubted; vote|voted|argue|warn|warned|protest|fight|are_fighting|protested against; are|is " +
	"critical|skeptical|sceptical of|about; turn|turned against\n" +
	"OPPOSE oppose reject criticize criticise debunk refute rebut disprove contradict dispute condemn attack challenge " +
	"question undermine weaken deny; OPPOSING; argue|speak|is|are against; disagree with; object to; cast doubt on; are|is " +
	"OPPOSING\n" +
	"OPPOSING opposing rejecting criticizing criticising debunking refuting rebutting disproving contradicting disputing " +
	"condemning attacking challenging questioning undermining denying against; arguing|speaking against; disagreeing with; " +
	"objecting|opposed|hostile to; casting doubt on; critical|skeptical|sceptical|dismissive of|about; in opposition to\n" +
	"DEFEND support endorse defend favour favor praise back promote justify; DEFENDING; argue|speak " +
	"for|in_favour_of|in_favor_of; agree with; advocate for?; make DET case for; are|is DEFENDING\n" +
	"DEFENDING supporting endorsing defending favouring favoring praising backing promoting justifying pro; " +
	"arguing|speaking for|in_favour_of|in_favor_of; agreeing with; in favour|favor|support|defence|defense|praise of; " +
	"supportive of; advocating for?; making DET case for\n" +
	"DEBUNK debunk debunking refute refuting disprove disproving rebut rebutting criticise criticising criticize " +
	"criticizing oppose contradict contradicting condemning\n" +
	"SHOULD should must; ought|need to\n" +
	"SHOULDNT shouldn't shouldnt mustn't; should|must not|never; should|must stop|avoid; don't|dont|do_not need|have to?; " +
	"ought not to; need to? stop; should|must no longer; would|will never|not|no_longer; never\n" +
	"WE we you people i one they anyone anybody someone everyone everybody society governments schools parents\n" +
	"NEGREVIEW negative critical bad harsh scathing unfavourable unfavorable sceptical skeptical hostile dissenting " +
	"opposing disapproving angry\n" +
	"POSREVIEW good positive favourable favorable glowing supportive enthusiastic sympathetic approving\n" +
	"REVIEW essay look view piece story text voice report coverage study review feedback press opinion view take comments experiences reactions article editorials essays coverage reactions " +
	"pieces voices argument perspective commentary texts posts stories evidence things look\n" +

	// Who speaks.
	"VIEW view opinion perspective take thought viewpoint stance attitude position experience verdict feelings reaction " +
	"response beliefs reflections insights concerns ideas side voice testimony; point of view\n" +
	"VIEWON on about regarding toward concerning to with of\n" +
	"IDEA idea claim notion view belief myth argument statement thesis hypothesis proposition motion assertion theory " +
	"position fact\n" +
	"POV perspective viewpoint standpoint angle side eyes view lens vantage; point of view; points of view; vantage point\n" +
	"COVERED covered reported seen portrayed discussed described presented told viewed shown reflected debated\n" +
	"LEARNERS skeptics sceptics beginner novices newbies dummies kids children child toddlers preschoolers everyone laypeople laymen laypersons non-experts nonexperts " +
	"starters newcomers amateurs non-scientists non-programmers nontechnical; ADJ " +
	"beginners|learners|novices|starters|newbies|laypeople|kids|children; DET ADJ " +
	"layperson|layman|beginner|child|novice|newbie|kid|toddler|student|teenager|lay_person|general_audience|five_year_old|ten_year_old|5_year_old|general_public; " +
	"people|those|someone|anyone who|without|new|with_no|with REST; non experts|specialists|scientists|programmers; " +
	"NUM year olds; ADJ LEVEL ADJ people|players|adults|readers|users|persons|drivers|cooks|runners|swimmers|riders|climbers|coders|audiences|PERSONS; a person|reader|audience|layman who|with|without REST; primary|elementary|high|middle school kids|children|students; lay people|readers|persons; the " +
	"uninitiated|layman|elderly|self-employed|unemployed|rest_of_us|general_public\n" +
	"LEVEL advanced experienced intermediate complete absolute total non-technical nontechnical older elderly busy shy lazy young new first-time aspiring curious ordinary normal disabled blind deaf hobby amateur professional serious occasional casual\n" +
	"NOVICE never know understand never dont cant hate struggle; have|has never; are|is new|clueless|bad|scared; don't|can't|cannot|have_no|has_no|do_not; just|only started|starting|start|begin|began\n" +
	"PRODUCT recipes exercises activities plan chords quiz stories coats chairs visas boots apps videos support laptop camera pension presents insurance grant loan mortgage scholarship uniform software app bag accessories gift discount job; best|cheap|top|free|fun|cheapest|sample|used X; X? rental|food|pages|cases|pillow|blankets|cake|cakes|recipes|quotes|puzzles|riddles|poems|names|crafts|costume|shampoo|sunscreen|lunch|backpack|rings|watches|wallets|perfume|dosage|syrup|worksheets|headphones|tablet|phone|phones|laptops|chair|desk|shelf|lamp|gloves|socks|hats|ideas|gift|present|toys|shoes|clothes|jobs|songs|jokes|movies|costumes|snacks|discount|tickets|crafts|games|lesson|class|classes|course|camp|club|time|menu|schedule|clothing|books|bike|bed|beds|museum|doctor|dentist|hospital|party|day|swimming|programme|program|tv|shows|films|haircut|glasses|vitamins|medicine|furniture|room|hotel|holiday|parks|playgrounds\n" +
	"SIMPLE simply simplified; in simple|plain|easy|layman's|laymans|everyday|basic|accessible|simplest|clear terms|language|words|english; made " +
	"easy|simple; in a nutshell\n" +
	"PERSONS parents children kids teenagers students pupils teachers nurses doctors patients farmers workers employees " +
	"employers tenants landlords women men pensioners families commuters drivers cyclists businesses consumers taxpayers " +
	"voters immigrants refugees renters homeowners freelancers fishermen shopkeepers tourists residents investors artists " +
	"migrants owners seniors accountants designers developers gardeners managers leaders lovers learners readers writers grandparents grandmothers mothers fathers scientists economists historians soldiers athletes lawyers " +
	"engineers programmers journalists experts architects musicians managers police midwives electricians plumbers librarians waiters dentists surgeons therapists psychologists physiotherapists paediatricians pediatricians dietitians nutritionists coaches trainers referees bankers judges firefighters builders mechanics teens teenager grandparents neighbours neighbors locals villagers citizens couples singles introverts babies toddlers dads moms mums retirees foreigners expats backpackers travellers travelers vegans vegetarians believers christians muslims atheists priests cops bosses freelancers employees entrepreneurs bosses carers caregivers gamers chefs authors vets retirees veterans philosophers charity startup companies firms volunteers\n" +
	"SPEAKERS baristas recruiters astronauts beekeepers fishers butchers priests rabbis imams nuns dentists coaches referees pilots smokers officers patients mums moms dads nuns monks sailors miners widows widowers survivors surgeons veterans politicians celebrities ceos hairdressers bakers butchers cleaners sculptors actors comedians insiders outsiders\n" +
	"EASY beginner-friendly kid-friendly child-friendly introductory easy-to-read easy accessible simplified jargon-free; beginner|kid|kids|child|family|layman friendly; beginner|advanced|expert|introductory|entry level\n" +
	"QUAL former retired ex female male black white gay trans; LEVEL; police|ex\n" +
	"LENS feminist marxist postmodern freudian psychoanalytic queer existentialist postcolonial humorous funny comic satirical poetic philosophical " +
	"spiritual romantic cynical optimistic pessimistic nostalgic lighter darker human personal contrarian ironic mystical surprising sentimental\n" +
	"READING reading interpretation look take view perspective reflection meditation analysis account approach side thoughts critique lens\n" +
	"GUIDE advice tips guide information info guidance help resources material lessons explanation introduction handbook " +
	"recommendations ideas facts news tutorial\n" +
	"COPE ; react|respond|adapt to; deal|cope|live with; " +
	"remember|describe|judge|approach|understand|interpret|handle|manage|talk_about\n" +
	"ISNT isn't aren't wasn't isnt arent; is|are|was|were not\n" +
	"HAS with having sharing teaching conveying has; that|which " +
	"has|have|share|teaches|teach|make|carry|convey|tell|illustrate|show|expresses\n" +
	"TALE example things anything story tale fable parable myth legend case situation event narrative anecdote something folktale fairytale scandal " +
	"incident crisis crises episode dilemma scenario; fairy|folk tale; short story\n" +
	"LEANS greens left-wingers right-wingers labour greens gop tory conservatives liberals republicans democrats socialists libertarians progressives centrists leftists marxists " +
	"communists tories; the political? left|right|far-right|far-left; social|christian|liberal|free democrats; the far|hard|radical left|right; DET? green|labour|conservative|republican|democratic party|politicians|mps\n" +

	// When and where.
	"YEAR\n" +
	"DECADE forties twenties thirties fifties sixties seventies eighties nineties noughties\n" +
	"WHEN yesterday; YEAR on|onward?; MONTH YEAR?; COMING|recent summer|winter|spring|autumn|night|weekend|MONTH|times|days|year|month|week|decade|century; DET? EARLY NTH century; PERIOD\n" +
	"EARLY roaring swinging early mid late early- mid- late-\n" +
	"PERIOD antiquity nowadays; DET? EARLY? DECADE; DET? DECADE and DET? DECADE; DET EARLY? NTH century; NTH century REST; DET? COMING NUM? " +
	"months|year|decade|century|generation; recent years|decades|months|times; DET? SPAN; NUM years|decades time?; the next " +
	"NUM years\n" +
	"COMING last past previous next coming this recent\n" +
	"MONTH monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december spring summer autumn " +
	"winter\n" +
	"NTH 21st 20th 19th 18th 17th 16th 15th 14th 13th 12th 11th 10th twentieth nineteenth eighteenth seventeenth sixteenth " +
	"fifteenth twenty-first last next this\n" +
	"NEWS news article report story post study coverage update headline statistics figures poll survey reporting review interview paper text; newspaper|magazine|press|news articles|reports|coverage|stories|headlines|clippings\n" +
	"TIMEP today yesterday nowadays; when it|they|we was|were|came|had|did REST; since|after|before|until|till|post|pre|from|in|during|throughout|within|over|around|circa|from_before|from_after|from_around WHEN; from today|yesterday|this_week|this_month|this_year|last_week|last_month|last_year; since|after|before|from_before|from_after DET? ADJ EVENT; up_to|prior_to WHEN; between|from YEAR and|to|until|till|through|- YEAR; between WHEN and WHEN; newer|older|younger|later|earlier than WHEN; newer|older|younger than DET? NUM years|decades|months; a|some|about? NUM? hundred|thousand? years|year|decades|decade|months|weeks|days ago|earlier; ages|centuries|generations ago; this|last|past|next day|week|weekend|month|year|morning|summer|winter|spring|autumn; back then; back in WHEN\n" +
	"SPAN past future pandemic lockdown renaissance enlightenment reformation; middle|dark|early|old|olden ages|days|times; " +
	"cold war; early days|years REST; industrial revolution; great depression; " +
	"ancient|medieval|victorian|modern|roman|colonial|soviet|prehistoric|biblical|tudor|edwardian " +
	"times|rome|greece|egypt|days|era|age|period|england|britain|europe|history; bronze|iron|stone|space|victorian|digital " +
	"age|era; second|first world war; world war one|two|i|ii|1|2; war years; interwar|post-war|postwar period|years|era; " +
	"days of REST; time of REST; long|short run|term; near|distant future|past; " +
	"war|wars|revolution|crisis|internet|reunification|election|independence|reform|recession|crash|invasion\n" +
	"AGED newer breaking fresh pre-war post-war prewar postwar pre-pandemic post-pandemic pre-covid yesterdays todays recent latest new newest current contemporary modern old older early historical historic past medieval victorian " +
	"ancient present-day outdated vintage future today's yesterday's up-to-date; up to date; present day; this|last|next|this_past|past week|month|year|summer|winter|night|weekend|weeks|months|years; most recent|current; post|pre YEAR; DECADE|YEAR; NTH century; " +
	"long ago\n" +
	"EVENT handover eruption collapse armistice invention introduction merger unification partition ban war revolution crisis fire famine plague flood earthquake election referendum pandemic reform recession crash invasion " +
	"independence reunification internet conquest brexit covid smartphone television email railway 9/11 ww1 ww2 strike lockdown\n" +
	"PUBLISHED published written printed made released posted\n" +
	"FORECAST prediction forecast outlook prognosis prognoses prospects projection expectations\n" +
	"LEAN anarchist nationalist fascist neoliberal ecosocialist monarchist left-wing right-wing leftwing rightwing leftist rightist liberal conservative progressive centrist neutral " +
	"unbiased impartial nonpartisan non-partisan partisan republican democratic democrat socialist libertarian left-leaning " +
	"right-leaning far-right far-left marxist communist populist tory; left|right wing|leaning; " +
	"far|hard|centre|center|radical|alt left|right; the political? left|right|centre|center; " +
	"centre-left|centre-right|center-left|center-right\n" +
	"LEANDOC columnists politicians mps thinkers bloggers pundits commentators senators analysis analyses media press outlet newspaper politician argument blog websites voices commentators take line " +
	"account source politics; think tanks\n" +
	"LAND africa america asia europe australia scandinavia afghanistan albania algeria angola argentina armenia austria azerbaijan bangladesh " +
	"belarus belgium bolivia bosnia botswana brazil britain bulgaria burma cambodia cameroon canada chile china colombia congo croatia " +
	"cuba cyprus czechia denmark ecuador egypt england estonia ethiopia fiji finland france georgia germany ghana greece greenland " +
	"guatemala haiti honduras hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya korea " +
	"kosovo kuwait laos latvia lebanon libya lithuania luxembourg madagascar malawi malaysia mali malta mexico moldova monaco mongolia " +
	"morocco mozambique myanmar namibia nepal netherlands holland nicaragua niger nigeria norway oman pakistan palestine panama paraguay peru " +
	"philippines poland portugal qatar romania russia rwanda senegal serbia singapore slovakia slovenia somalia spain sudan sweden " +
	"switzerland syria taiwan tanzania thailand tibet tunisia turkey uganda ukraine uruguay uzbekistan venezuela vietnam wales yemen " +
	"zambia zimbabwe scotland usa us uk eu uae california texas florida alaska hawaii bavaria catalonia quebec siberia balkans london " +
	"paris berlin rome madrid vienna moscow tokyo beijing shanghai delhi mumbai cairo lagos nairobi sydney melbourne toronto chicago boston " +
	"washington seattle dublin edinburgh glasgow manchester liverpool amsterdam brussels copenhagen oslo stockholm helsinki warsaw prague " +
	"budapest athens lisbon barcelona milan munich hamburg zurich geneva istanbul jerusalem bangkok seoul detroit houston dallas miami " +
	"montreal vancouver kyiv venice naples dubai abroad\n" +
	"PLACE ; LAND; the LAND|NATION; DET? ADJ LAND; new york|zealand|delhi|orleans|england|jersey|mexico; new york city; " +
	"south|north|east|west|central|eastern|western|southern|northern|latin LAND; united|the_united " +
	"states|kingdom|arab_emirates; saudi arabia; sri lanka; hong kong; costa rica; el salvador; puerto rico; ivory coast; " +
	"sierra leone; burkina faso; cape verde; north|south dakota|carolina; middle|near|far|the_middle|the_far east; san " +
	"francisco|diego; los angeles; las vegas; cape town; rio de_janeiro; sao paulo; buenos aires; mexico city; the " +
	"european_union|eu|us|uk|usa|netherlands|balkans|global_south|west|east; rural|urban areas|regions; other countries; " +
	"developing|poor|rich|african|asian|european countries; small towns; the countryside\n" +
	"NATION british cypriot czech danish dane dutch finn finnish french frenchmen greek irish scottish scot swiss thai welsh polish pole " +
	"spanish spaniard portuguese filipino norwegian peruvian iraqi pakistani kenyan nordic baltic arab briton brit swede turk turkish serb " +
	"slovak afghan ghanaian londoner english iranian libyan cuban; new zealand; south|north african|korean|american; latin american; " +
	"middle eastern; sri lankan\n" +

	// Analogies.
	"WORK movies music novel painting album game book film movie song band city town country show series podcast app website sport hobby cheese dish drink restaurant author " +
	"artist breed place toy fruit comic musical perfume car company\n" +
	"STORY proverb saying joke riddle story tale fable parable myth legend case situation event novel book narrative anecdote example something " +
	"anything things plot poem folktale fairytale scandal incident crisis crises debate problem episode dilemma scenario " +
	"play text article idea argument; fairy|folk tale; short story\n" +
	"MORAL thing moral message lesson theme meaning plot structure point idea pattern storyline dynamic twist ending logic " +
	"problem conflict principle setup premise\n" +
	"LIKEX like resembling paralleling mirroring echoing; similar|analogous|comparable|akin|parallel|equivalent|related " +
	"to|with; that|which is|are like|similar_to|analogous_to|comparable_to; that|which remind me|one|you? of; that|which " +
	"resemble|mirror|parallel|echo|echoes; that|which sound|feel|look|taste|work|behave like; reminiscent of; in the style|spirit|vein of; along the lines of\n" +
	"ANALOGY analogy metaphor parallels simile\n" +

	// Evidence.
	"STATS statistics stats figures data survey poll polling study research evidence experiments trials meta-analysis " +
	"meta-analyses meta-study anecdotes testimonials testimonies findings percentages numbers; facts and|& figures; meta analysis|analyses|study; study|trial|research|survey results|findings; user|patient|customer|real_life experience; " +
	"case|research|scientific|empirical|clinical|academic|field " +
	"study|evidence|data|research|trials|findings|results|paper|literature|consensus; survey|opinion|poll " +
	"data|results|polls|findings|surveys; " +
	"FIRSTHAND; hard|official|key " +
	"numbers|figures|data|evidence|facts|statistics; numbers|facts and figures|facts|numbers|statistics; facts and numbers; studies|figures|data and statistics|data|figures|studies\n" +
	"FIRSTHAND eyewitnesses survivors; patient|user|customer|traveller|traveler story|experience|account|reports|testimonials; personal|survivor|first-hand|firsthand|first_hand|eyewitness|first-person|first_person|true|real|real-life|real_life " +
	"story|experience|account|reports|anecdotes|testimony|testimonials; experience|field|case report\n" +
	"SCIENTIFIC scientific hard empirical clinical statistical medical experimental peer-reviewed academic scholarly randomised randomized; peer reviewed; double blind\n" +
	"NOSTUDY business social media gender film case cultural religious american african asian womens liberal classical environmental legal urban bible biblical work development international graduate theatre dance religion language area jewish catholic islamic peace security policy science translation disability museum celtic\n" +
	"EXPERT expert experts' expert's experts professional specialist specialists\n" +
	"STATON on about regarding concerning with into behind\n" +
	"REAL ; real|real-life|real_life|real-world|real_world|concrete|practical|specific|historical|everyday|famous|actual " +
	"world|life|example|case|instance; case study; " +
	"real-life|real-world|real_life|real_world|practical|concrete|specific|historical|actual|everyday " +
	"example|cases|applications|instances\n" +
	"SCIENCE research science data evidence statistics numbers surveys polls study figures scientists researchers; the " +
	"science|data|evidence|research|numbers|studies|statistics|figures|latest_research; scientific " +
	"studies|research|evidence\n" +
	"FIELD economic economical legal ethical moral environmental ecological political social financial medical scientific " +
	"technical psychological religious cultural philosophical historical health security safety privacy fiscal military " +
	"practical educational business sociological theological commercial engineering\n" +
	"ASPECT cost aspect side dimension angle impact effect implication ramifications perspective consequences significance importance\n" +
	"FOCUS ; with a|special|particular focus on; with focus|emphasis on; with an emphasis on; " +
	"focusing|focussing|focused|focussed on; with respect|regard to; in terms of; and its? effect|impact on\n" +

	// Roots that look like the grammar and are none.
	"DEVICE ; ADJ iphone|ipad|airpods|samsung|galaxy|kindle|macbook|laptop|pixel|phone|tablet|camera|glasses|guitar|violin|windows|bluetooth|wifi|printer|boiler|switch|defence|prosecution|christ REST\n" +
	"EXTRA lyrics chords meaning definition soundtrack cast trailer synonym calculator called tracklist meme template worksheet pdf summary dvd; movie|film YEAR; season|episode NUM; " +
	"film|book review; worksheet answers; discharge|application|claim|council|complaint form\n" +
	"TITLED against; in defence|defense|praise|favour|favor|support of; DET? case for|against; reasons to; DET? dark|other side of; why\n" +
	"OUTLET bbc sky fox cnn channel cbs nbc abc itv google yahoo apple hacker msn breaking cbc npr\n" +
	"GIVEN robert john james michael richard david christopher peter paul thomas george alan bryan lee gary ian matt\n" +
	"BOOK moon force realm ring rainbow folly\n" +
	"CODE git java javascript python excel sql bash css grep\n" +
	"AGENT governments schools parents companies universities police parliament church banks state society everyone cyclists prisoners; LAND; the? LAND|PERSONS|NATION; DET? government|state|eu|uk|us|bbc|nhs|rich|church|police|president|queen|king\n" +
	"IDIOM humanity gravity; all odds; the " +
	"odds|wind|clock|grain|wall|machine|law|current|ice|rules|sun|light|flow|tide|storm|rest_of_the_world|world|elements\n" +
	"NOVIEW plan schedule jim garp size length weight value date name color colour rule instructions recipe height column price type order manual\n" +
	"WORDY word words synonym antonym triangle matrix matrices shape polygon font emoji name color colour number letter fraction rectangle image photo\n" +
	"CAUSED fall decline collapse loss rise failure increase decrease growth pain delay crash war wars divorce " +
	"extinction revolution shortage drop bleeding bloating periods migraines headaches cramps overheating vomiting diarrhoea ww1 ww2 fatigue fever swelling cough rejection dismissal refusal sweats pressure depression swollen cancellation seasons " +
	"outbreak ache weakness tiredness nausea dizziness itching insomnia absence migration resignation downfall defeat " +
	"victory; death of|rate|toll\n" +
	""

// formed returns the class that the form of a word tells, or "".
func formed(word string) string {
	switch {
	case number(word):
		return "NUM"
	case year(word):
		return "YEAR"
	case decade(word):
		return "DECADE"
	case len(word) > 7 && year(word[len(word)-4:]) && (strings.HasPrefix(word, "pre-") || strings.HasPrefix(word, "post-")):
		return "AGED"
	case strings.HasPrefix(word, "non-"):
		return "LEARNERS"
	case strings.HasSuffix(word, "ists") || strings.HasSuffix(word, "ians"):
		return "PERSONS"
	}
	return ""
}

// number reports whether a word consists of one to three digits.
func number(word string) bool {
	for i := range len(word) {
		if !digit(word[i]) {
			return false
		}
	}
	return word != "" && len(word) < 4
}

// year reports whether a word is a year from 1000 to 2999.
func year(w string) bool {
	return len(w) == 4 && (w[0] == '1' || w[0] == '2') && digit(w[1]) && digit(w[2]) && digit(w[3])
}

// decade reports whether a word is a decade, such as 1960s, 60s or '60s.
func decade(w string) bool {
	n := len(w) - 1
	if n > 0 && w[0] == '\'' {
		w, n = w[1:], n-1
	}
	return n > 1 && w[n] == 's' && (n == 4 && year(w[:n]) || n == 2 && digit(w[0]) && w[1] == '0')
}
