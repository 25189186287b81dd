package perspective

// askClasses: who asks, and for what.
const askClasses = "" +
	"WHATS what's whats; what BE\n" +
	"BE is are was were be\n" +
	"DO do does did would might could can will has have\n" +
	"SEEN seen viewed perceived regarded handled regulated experienced done discussed debated covered reported portrayed " +
	"judged treated taught celebrated described received understood interpreted framed rated valued approached tackled " +
	"managed organised organized thought; talked|thought|written about|of; reported|written on; looked at|on|upon|down_on; " +
	"dealt|coped with; talked|thought|felt|written|spoken|reported about|of|on; looked at|upon|down_on|on; thought|spoken " +
	"well|badly|highly? of; made of\n" +
	"HANDLE handle see view regulate treat approach manage tackle perceive organise organize solve fund; deal with; " +
	"think|feel about; think|feel|felt|thought of|about; dealt|deals|copes|cope with; " +
	"handles|tackles|manages|treats|views|sees|regulates|approaches|perceives|organises|organizes|solves; look|looks " +
	"at|on|upon; talk|write about; pay for; do about\n" +
	"DET the a an some any its their\n" +
	"ON about on regarding concerning over around surrounding re; on|about the topic|subject|issue|question|matter of; " +
	"with|in regard|respect|regards to; when it comes to; as regards; in relation|connection to|with; to do with\n" +
	"OF of about on regarding concerning to with in for against toward around behind\n" +
	"FOR for supporting defending favoring favouring pro; in favour|favor|support|defence|defense of; that|which MAY? " +
	"DEFEND; speaking|arguing for|in_favour_of|in_favor_of; that|which speak|speaks|argue|argues " +
	"for|in_favour_of|in_favor_of; in defence|defense|praise of; going|counting for; in favour|favor|support of; on behalf " +
	"of; on the side of\n" +
	"CON against opposing contra anti; in opposition to; opposed|contrary to; critical of; that|which MAY? OPPOSE; " +
	"speaking|arguing against; that|which speak|speaks|argue|argues against; disagreeing with; not in_favour|in_favor of; " +
	"speaking|going|counting|militating against; that|which goes|go|count against\n" +
	"NUM two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty hundred few couple several " +
	"hundreds thousands; couple|few of; hundreds|thousands|dozens of\n" +
	"PRONOUN it this them\n" +
	"LEAD find need want show explain know understand list name write; looking|look|searching|search|ask|asking for; " +
	"give|tell|show|get|send|find me|us; write|writing|presentation|essay|speech|debate about|on; " +
	"give|write|hold|prepare|do|make; has|have|needs|need|wants|want|going|supposed|asked|told to\n" +
	"TASK debate essay homework presentation assignment class project paper speech exam thesis discussion school course " +
	"seminar article blog\n" +
	"TAIL ; for|in my|our ADJ TASK REST; for|in class|school|uni|university|college " +
	"tomorrow|today|please|project|debate|essay; in a|our|my|the debate|discussion|essay|speech|presentation; for " +
	"me|us|him|her; back me up; if possible|any; i can use; you can think_of; nobody|people|they " +
	"mentions|mention|talks_about|tells_you|talk_about; that? nobody|no_one REST; for homework|class|school|university; as " +
	"soon_as_possible; asap; thank you; in english; with examples|sources|references; any " +
	"ideas|suggestions|tips|thoughts|help|advice|recommendations?; can you|anyone|someone help REST; help " +
	"needed|please|appreciated|wanted; what can|could i say|write|argue; short|quick|brief overview|summary|list|answer\n" +
	"HOWTO ; how to; how|where DO WE\n" +
	"CAN can could would might should\n" +
	"ABOUT about on explaining saying arguing showing proving claiming; that|which say|says|explains|explain|argue|argues\n" +
	"WERE were was been; that|which were|was; that|which are|is\n" +
	"BACK ; back\n" +
	"MUCH ; most|closest|more|very; a_bit|a_little|somewhat\n" +
	"VERY still ever so really very actually always often such just also too generally inherently fundamentally morally " +
	"plain plainly downright completely totally absolutely utterly deeply extremely quite rather pretty incredibly terribly " +
	"simply truly definitely clearly basically essentially potentially sometimes both secretly probably largely mostly " +
	"ethically; just|really|simply|actually|still|always|often plain|very|so|too|really|that|such|simply|deeply\n" +
	"FORWHOM ; for|to REST; in|at|as|from|by|on REST; and|but REST\n" +
	"HOW how; DET way|ways|manner that|in_which?; in what|which way|ways; what way\n" +
	"WHY why; how come; DET reason|reasons why|that\n" +
	"FILL which what whats what's are is was were there any some a an the i i'd i'm you we he she they me can could would " +
	"get got give tell show list lists table overview summary collection name find want need like see hear read know " +
	"looking look search searching for about of with and or to in on my our their most best main biggest strongest common " +
	"typical good better important key top different various several many few more other another possible potential likely " +
	"real all please just only also really interested someone somebody anyone anybody something anything things stuff texts " +
	"text article articles essay essays info information material sources documents statements quotes ideas examples " +
	"helpful useful short long brief quick simple kind kinds sort sorts type types hello hi hey ok okay so well um uh erm\n" +
	""

// documentClasses: texts, whose side a word after them tells ("arguments against"), people, and what they say and see.
const documentClasses = "" +
	"ARG argument reason point case evidence proof opinion voice claim statement view thought consideration grounds facts " +
	"material argumentation position stance speech speeches plea something anything things ammunition ammo rationale " +
	"rebuttals logic justification contention assertions claims motives; talking points; talking point; food for thought; " +
	"debating points; line of argument|reasoning\n" +
	"DOC update article text paper editorial essay post blog book report story news passage document column letter comment " +
	"review source study research piece op-ed oped commentary coverage interview quote poem writing analysis analyses press " +
	"media newspapers headlines website webpage outlet magazine forum channel lecture talk pamphlet documentary podcast " +
	"speech speeches sermon letter tweet reporting journalism literature novel publications opinion view accounts something " +
	"anything perspective reactions discussion debate pieces tract blogpost blogposts write-up thread threads testimony " +
	"statement comments remarks hearing verse song songs tirade petition leaflet flyer feature features content treatment " +
	"musings contributions page site journal journals transcript writings correspondence chronicle everything; " +
	"blog|news|newspaper|magazine|press|media|opinion article|post|report|story|coverage|piece|sources|clippings|releases; " +
	"op ed|eds; points of view; experience|field|case report; opinion|think pieces; blog entry|entries; front pages; letter " +
	"to the editor\n" +
	"PEOPLE people someone somebody anyone anybody voices groups politicians parties experts scientists parents those " +
	"protesters campaigners activists citizens residents economists writers authors thinkers philosophers teachers doctors " +
	"celebrities states countries others many most some everyone folks\n" +
	"SAY say says said think thought believe feel argue claim write wrote report tell teach teaches suggest show shown " +
	"found recommend advise thinks make makes made reckon reckons reckoned believes believed feels felt argues argued " +
	"claims claimed writes reports reported taught suggests suggested shows recommends recommended advises advised state " +
	"states stated conclude concludes concluded publish published know knew fear feared expect expected hope hoped complain " +
	"complained mention mentioned consider considered; have|has to say; tell us; have|has said|written; have|has been " +
	"saying|thinking|writing|reporting; have|has to_say|to_tell|said|written|thought|published|reported; had to say; " +
	"are|is|were|was saying|thinking|writing|reporting|telling_us; come up with\n" +
	"SEE see sees saw view viewed perceive experience experienced regard rate judge perceives perceived views experiences " +
	"regards regarded rates rated judges judged assess assesses assessed evaluate evaluates interpret interprets " +
	"interpreted understand understands approach approaches frame frames imagine imagined value values describe describes " +
	"described remember remembers discuss discusses discussed debate debates debated portray portrays receive received; " +
	"feel|felt|think|thought|talk|talked|think|write about|of|on; react|respond to; report|reports|reported on; look at|on; " +
	"looks|looked at|on|upon; feels|thinks|talks|writes|wrote about|of|on; talk|speak|argue|argued|spoke|speaks|complain " +
	"about|of; reacts|reacted|reacting|responds|responded to; relate|relates|relate to; deal|deals|dealt|cope|copes with; " +
	"make sense of; take|takes|took to; report|reports|reported on|about; look|looked back|down on|at|upon; " +
	"think|thinks|thought about|of|on; are|is|were|was thinking|feeling|talking|writing about\n" +
	"MAY would might could will can may really actually typically usually generally should must do did all; used to; " +
	"have|has to; tend to; is|are likely to\n" +
	"SUBJECT ; only|just? ADJ DOC|STATS|GUIDE about|on|regarding|concerning; what do you SAY ON|of; thoughts|opinions|views " +
	"on|about; tell|show me about; information|info on|about\n" +
	""

// nounClasses: sides, mostly by nouns, and both sides.
const nounClasses = "" +
	"GOODS pros advantage benefit upside merit strengths positives virtues pluses plusses rewards perks perk bonuses gains; " +
	"good points|sides|things|aspects|parts; positive aspects|sides|effects|points|impact|things|consequences; " +
	"bright|positive|good side; plus points; selling points; strong points|sides; positive results|outcomes|influence; good " +
	"results|effects; brighter side; pluspoints\n" +
	"BADS cons disadvantage drawback downside shortcomings weaknesses negatives harms dangers hazards risks pitfalls flaws " +
	"faults limitations minuses demerits perils evils failings threats catch snag demerit detriment deficits deficiencies " +
	"inadequacies imperfections inconveniences disbenefits snags minus con defects vices sins harm; bad " +
	"points|sides|things|aspects|parts|effects; negative aspects|effects|points|impact|things|consequences|side; " +
	"harmful|adverse effects|aspects|sides|consequences; dark|ugly|negative|bad|downside|flip side; hidden costs|dangers; " +
	"weak points|spots; negative results|outcomes|influence|influences|side_effects|sides|consequence; " +
	"damaging|detrimental|unwanted|unintended effects|aspects|consequences; hidden|secret risks|drawbacks|downsides; " +
	"bad|evil consequences|influence|influences|results|outcomes; health risks|dangers|hazards; dark sides; minus|sore|pain " +
	"points; seamy|shady|nasty side\n" +
	"HARMS problem harm damage trouble issue costs; BADS\n" +
	"HARMING have cause causes bring brings do does create creates pose poses involve involves carry carries; lead to\n" +
	"HELPING have has bring brings offer offers provide provides give gives create; come with\n" +
	"AND and & or / vs versus + n ,; as_well as; and also|possible|potential|maybe|perhaps; alongside; together with; along " +
	"with; but also|too\n" +
	"NOBENEFIT membership card loyalty account housing employee unemployment state child disability tax retirement veterans " +
	"death maternity fringe welfare social\n" +
	"NOCRITIC literary film new textual biblical art music food social higher comic\n" +
	"BOTH for/against pro-con pro-contra pros-cons pros/cons pros&cons pro/con pro/contra pro-and-con; pros|pro|pro's AND? " +
	"DET? cons|con|contra|con's; cons|con AND? DET? pros|pro; GOODS AND DET? ADJ BADS; costs|chances|opportunities AND DET? " +
	"GOODS|risks|dangers|costs; advantages disadvantages; GOODS AND costs; BADS AND DET? GOODS; ARG? for AND? against; ARG? " +
	"for AND the? ARG? against; ups and downs; GOODS AND DET? challenges|limits|limitations|problems|issues|hazards; ARG? " +
	"against AND for; ARG pro AND contra|con; DET? good|plus|positive|strong AND DET? bad|minus|negative|weak " +
	"sides|aspects|points|things|parts|effects|impacts|consequences?; strengths AND limitations|weaknesses; " +
	"promise|opportunities|rewards AND DET? peril|pitfalls|risks|dangers|threats; PROCON; both|two|the_two " +
	"sides|viewpoints|views|perspectives of DET? ADJ story|argument|coin|debate|issue|question|medal; DET? pros AND " +
	"what|whats|what_are? DET? cons; what|whats|what_is|what_are? DET? good|pros AND what|whats|what_is|what_are? DET? " +
	"bad|cons; DET? upsides|benefits|advantages AND what|whats|what_is|what_are? DET? downsides|drawbacks|disadvantages; " +
	"praise AND criticism|blame; GOODS BADS; positives AND negatives; points? for AND points? against; costs|cost AND " +
	"benefit; opportunities|chances AND risks|dangers|challenges; reasons? for AND reasons? against; ARG for AND DET? ADJ " +
	"ARG against; plus AND minus; ARG both ways\n" +
	"BOTHSIDES ; both|two sides|viewpoints|views|perspectives|camps; both|two|different sides; either side; two opposing " +
	"sides|views\n" +
	"BALANCED balanced two-sided nuanced impartial even-handed fair objective even; two|both sided; even handed; " +
	"even-sided; multi-sided\n" +
	"LIKES like love enjoy support favour favor appreciate praise admire defend welcome; like best\n" +
	"DISLIKES dislike hate oppose reject loathe criticise criticize condemn despise attack fear\n" +
	"OR or vs versus / and & not; or not\n" +
	"TWOSIDED ; blessing|boon|opportunity|chance|benefit|help|asset|gift|progress OR DET? " +
	"curse|bane|threat|risk|danger|burden|hindrance|harm|liability|setback; curse|bane|threat|risk|danger|harm|burden OR " +
	"DET? blessing|boon|opportunity|chance|benefit|gift|asset|help; friend or foe; yay or nay; yes or no; right or wrong; " +
	"help|helpful|useful|healthy|beneficial or harmful|hurtful|useless|unhealthy|dangerous; more helpful|good than " +
	"harmful|harm|bad; for or against; good|bad or evil|bad|good; love|loved or hate|hated; DET " +
	"blessing|boon|opportunity|chance|benefit|help|asset|gift|hero|saviour|savior|friend|dream|miracle|cure OR DET? " +
	"curse|bane|threat|risk|danger|burden|hindrance|harm|liability|villain|devil|foe|nightmare|scam|poison; " +
	"threat|risk|danger OR DET? opportunity|promise|hope|chance; good|healthy|useful|helpful|beneficial or|and " +
	"bad|evil|unhealthy|harmful|useless|damaging; both good|loved|useful AND bad|hated|harmful; yes/no; good or bad " +
	"idea|thing|choice; good idea or bad_idea\n" +
	"SIDES views viewpoints opinions sides arguments perspectives positions\n" +
	"ISSUE debate argument issue question controversy discussion story dispute\n" +
	"COUNTER resistance counterargument counter-argument counterpoint counter-point counterevidence counter-evidence " +
	"objection rebuttal refutation criticism critique opposition disagreement skepticism scepticism counterclaim " +
	"counter-claim hostility takedown pushback criticisms counter-arguments counterarguments polemic polemics denunciation " +
	"condemnation diatribe rant counter-case dissent repudiation debunking refutal retort; counter " +
	"argument|evidence|claim|point|position; contra argument; counter arguments|claims|points; counter position; arguments " +
	"contra; negative|critical assessment|appraisal|verdict\n" +
	"WORRY attacks reservations complaints doubt worries fears concerns misgivings anger outrage backlash protest warning " +
	"criticisms gripes unease alarm fear concern worry gripe reservation qualms grievances disquiet resentment " +
	"dissatisfaction discontent frustration frustrations scruples apprehension objection uproar outcry indignation dismay; " +
	"bad feelings|feeling\n" +
	"CRITICS opponent critic adversary doubter antagonist skeptic sceptic detractor hater opposer naysayer enemies foe " +
	"dissenter denier; those opposed; people opposed\n" +
	"FRIENDS supporter advocate proponent defender champion fan enthusiast believer promoter adherent backer admirer " +
	"follower lobbyist apologist; those in_favour|in_favor; people in_favour|in_favor\n" +
	""
