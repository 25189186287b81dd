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

// documentClasses: things that take a side by a word after them.
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

// nounClasses: sides, by nouns.
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

// verbClasses: sides, by adjectives and verbs.
const verbClasses = "" +
	"GOODADJ sustainable efficient fun good great beneficial useful helpful better best right fair effective justified " +
	"worthwhile awesome healthy positive amazing wonderful excellent fantastic brilliant overdue underrated desirable " +
	"sensible smart worth attractive advisable beautiful clever cool convincing crucial enjoyable essential ethical " +
	"exciting fabulous flexible green humane ideal important impressive intelligent interesting invaluable just legitimate " +
	"logical lovely meaningful moral natural perfect pleasant popular powerful practical precious productive profitable " +
	"progressive rational reasonable reliable responsible rewarding safe satisfying sound super undervalued valuable vital " +
	"welcome wise worthy convenient constructive educational relaxing necessary needed relevant; worth it; worth REST; DET " +
	"good|great|smart|wise|right|better|best|positive|wonderful " +
	"idea|thing|choice|decision|investment|way|option|move|solution|policy|step|habit|deal|model; better than REST; good " +
	"news; the future; here to stay; DET really|very|truly good|great|smart idea; such a good|great|smart idea; the " +
	"best|right|way_to_go|right_thing REST; DET must; worth trying|doing; DET " +
	"treasure|joy|delight|pleasure|success|triumph|masterpiece|genius|gem|boon|benefit|bargain|asset|necessity|duty|right|human_right|lifesaver|game_changer|game-changer|godsend|opportunity|force_for_good|breakthrough|milestone|virtue|hero|model|classic; " +
	"good|great|healthy|beneficial|useful|important|better for|to REST; the best REST; our best|only REST; still|more " +
	"needed|necessary|relevant|important|alive REST; so REST; the key|answer|solution|future to|of|for REST; " +
	"better|cheaper|healthier|safer|greener than REST; DET " +
	"good|great|smart|wise|sensible|healthy|sound|better|wonderful|fantastic|brilliant|perfect|excellent " +
	"way|place|time|tool|habit|hobby|example|start|alternative|thing|sport|pet|pets|subject|job|system|law|policy FORWHOM?\n" +
	"NEEDED important essential necessary crucial vital valuable needed safe relevant\n" +
	"PLAINGOOD underrated awesome amazing brilliant wonderful worthwhile good great better right beneficial advisable cool " +
	"clever desirable ethical excellent fantastic fabulous ideal invaluable just justified legitimate perfect rewarding " +
	"sensible smart undervalued valuable vital wise worthy; DET good|great idea|thing|choice; better than REST; worth it; " +
	"worth REST; the future; here to stay; DET good|great|smart|best investment|move|choice; such a good|great idea; DET " +
	"must; DET really|very good idea; so useful|helpful|important|popular|great|good; " +
	"important|useful|essential|necessary|crucial|helpful|valuable|vital for|to REST; such DET REST; so " +
	"good|great|helpful|useful|important|valuable|beneficial|healthy|popular|successful|loved REST; " +
	"good|great|healthy|better for REST; DET good|great|smart|wise|sensible|healthy|brilliant|wonderful|fantastic|excellent " +
	"idea|thing|choice|way|tool|habit|investment|policy|solution FORWHOM?\n" +
	"VERDICT smart wise sensible reasonable clever sustainable ethical unethical moral immoral fair unfair justified " +
	"overrated underrated harmful wrong necessary cruel worthwhile outdated acceptable defensible defendable legitimate " +
	"advisable; any good; worth it|the_money|a_try|a_visit|the_effort|the_hype|the_cost|the_risk|the_price|the_trouble; DET " +
	"good|bad|great|smart|wise|sensible idea|thing|choice|decision|investment|move|deal|policy|system|solution; DET " +
	"good|bad way to REST; DET mistake|scam|hoax|failure|success|disaster|threat|waste_of_money|waste_of_time; the " +
	"answer|solution|future; good|better|bad|worse for the? environment|planet|economy|society|democracy|teenagers; " +
	"morally|ethically acceptable|right|wrong|justified|justifiable|defensible|ok|okay|permissible; ever|always " +
	"acceptable|justified|right|wrong|ok|okay; DET sensible|wise|right|wrong|reasonable thing|move|step\n" +
	"BANNED banned abolished outlawed stopped scrapped prohibited ended closed illegal boycotted shut eliminated dismantled " +
	"avoided rejected halted discouraged defunded repealed cancelled canceled axed forbidden binned dissolved resisted " +
	"opposed feared; done away with; got rid of; shut|closed|broken|torn down; phased out; thrown out; restricted; a " +
	"crime|thing_of_the_past; off limits\n" +
	"ALLOWED allowed legal legalised legalized compulsory mandatory free permitted taxed regulated decriminalised " +
	"privatised nationalised taught funded lowered raised reformed\n" +
	"BADADJ annoying irresponsible exploitative discriminatory unrealistic overhyped disrespectful wasteful addictive " +
	"doomed elitist invasive misleading manipulative bad negative wrong harmful cruel unfair evil dangerous overrated " +
	"useless terrible unethical immoral unjust pointless toxic stupid awful unhealthy broken flawed inhumane outdated " +
	"unnecessary unsustainable ineffective misguided counterproductive unconstitutional horrible undemocratic racist sexist " +
	"boring worse worst ridiculous inefficient problematic nonsense rubbish garbage unsafe silly worthless unreliable " +
	"misleading inaccurate unscientific hypocritical risky destructive ugly absurd appalling authoritarian backward biased " +
	"brutal corrupt creepy criminal damaging detrimental disastrous dishonest disgraceful disgusting divisive dumb fake " +
	"false faulty foolish frightful idiotic illogical inadequate inferior insane insulting intolerant intrusive irrational " +
	"mad meaningless mistaken nonsensical obsolete offensive oppressive outrageous overpriced overvalued poor poisonous " +
	"selfish shameful shortsighted unacceptable undesirable unjustified unjustifiable unnatural unproven unsuitable untrue " +
	"unwise weak wrongheaded trash shit bullshit crazy dubious questionable senseless needless impractical inappropriate " +
	"irrelevant lazy unpopular harsh costly slow stressful dull tedious frustrating expensive dirty noisy polluting " +
	"uncomfortable insufficient hazardous deadly carcinogenic hurtful inconvenient unpleasant depressing; DET " +
	"bad|terrible|stupid|awful|poor|horrible|wrong idea|thing|choice|decision|investment|way|option|move|deal|policy|habit; " +
	"DET disaster|mistake|scam|failure|waste|myth|problem|threat|fraud|danger|lie|joke|trap; DET waste of REST; not " +
	"GOODADJ; worse than REST; bad news; doomed to fail; killing|hurting|ruining|destroying|harming REST; not the " +
	"answer|solution; DET really|very|truly|pretty|truly bad|terrible|stupid|awful idea; DET " +
	"huge|big|great|terrible|costly|grave mistake|problem|threat|waste|failure|disaster|scam|danger; too " +
	"expensive|dangerous|risky|slow|much; plain|simply|just|completely|totally|morally|deeply|utterly|fundamentally " +
	"wrong|unfair|evil|bad|stupid|immoral|cruel; DET " +
	"dead_end|dead-end|nuisance|nightmare|menace|farce|fad|fantasy|illusion|delusion|crime|sin|scandal|disgrace|curse|evil|distraction|burden|hype|bubble|cult|ripoff|rip-off|con|hoax|sham|gimmick|tragedy|catastrophe|liability|blunder|failed_experiment|slippery_slope|outrage|shame|cancer|plague; " +
	"bad|harmful|dangerous|terrible|poison|poor|detrimental|worse|destructive for|to REST; doing|causing|creating REST; the " +
	"wrong|worst REST; too REST; not really|actually|exactly|particularly|just|very|that|even|always|worth REST\n" +
	"PLAINBAD problematic unsustainable misguided counterproductive sexist racist undemocratic discriminatory overhyped " +
	"nonsense inhumane outdated useless pointless flawed unjust inhumane stupid terrible awful ridiculous bad negative " +
	"wrong harmful evil unfair overrated cruel unethical immoral worse absurd appalling authoritarian backward biased " +
	"brutal corrupt creepy criminal damaging detrimental disastrous dishonest disgraceful disgusting divisive dumb " +
	"exploitative fake false faulty foolish frightful idiotic illogical inadequate inferior insane insulting intolerant " +
	"intrusive irrational mad meaningless mistaken nonsensical obsolete offensive oppressive outrageous overpriced " +
	"overvalued poor poisonous selfish shameful shortsighted unacceptable undesirable unjustified unjustifiable unnatural " +
	"unproven unrealistic unsuitable untrue unwise wasteful weak wrongheaded trash shit bullshit crazy dubious questionable " +
	"senseless needless impractical inappropriate irrelevant lazy unpopular irresponsible disrespectful elitist " +
	"manipulative unhealthy unnecessary horrible worst rubbish garbage worthless unscientific hypocritical destructive " +
	"unconstitutional misleading; DET bad|terrible idea|thing|choice; DET " +
	"mistake|scam|disaster|failure|threat|flop|problem; worse than REST; so|really bad|harmful; considered " +
	"harmful|bad|unethical|wrong|unfair|cruel; DET really|very bad idea; such a bad|terrible idea; DET huge|big|terrible " +
	"mistake|problem|threat; DET waste of REST; not DET? good|worth|answer|solution REST; morally wrong; such DET REST; DET " +
	"bad|terrible|poor|stupid|awful|horrible|wrong|dangerous REST; a " +
	"disgrace|scandal|scam|disaster|nightmare|menace|farce|dead_end|fad|myth|curse|burden|distraction|crime|sin|nuisance; " +
	"plain|simply|just|completely|totally|morally wrong|unfair|evil|bad|stupid; unhealthy|dangerous|harmful|bad|terrible " +
	"for REST\n" +
	"FAILS fail failed suck backfire sucks stinks; will|would fail|flop|collapse|never_work|not_work|backfire; " +
	"doesn't|don't|didn't|won't|can't|cannot|will_not|does_not|do_not|can_not|never|doesnt|dont|wont|cant " +
	"work|help|make_sense|pay|pay_off|matter|deliver REST; " +
	"harm|hurt|destroy|ruin|damage|kill|threaten|endanger|undermine|hinder|weaken REST; make no sense; make REST worse; " +
	"does|do more harm than good; can't|cannot|cant|shouldn't|won't|wont|can_never be " +
	"trusted|justified|sustained|defended|the_answer|fixed|saved|good|healthy; " +
	"doesn't|don't|does_not|do_not|doesnt|dont|won't|can't|cannot|will_not " +
	"belong|deserve|solve|last|scale|add_up|deliver|teach|protect|save|improve|respect|fix|make REST; will|would " +
	"never|not|only|just REST; do|does not|no|nothing|little|more_harm|damage|harm REST\n" +
	"WORKS work matter matters; make sense; make REST better; help|improve|benefit|save|protect|strengthen REST; pays|pay " +
	"off; will work|succeed|win REST; beat REST; matter|matters to|for|more_than REST; make|makes " +
	"sense|us|you|life|people|kids|children|cities|society|the_world REST; still matter|matters|works|work; " +
	"help|helps|improve|improves|benefit|benefits|save|saves|protect|strengthen|enrich|empower|deserve|deserves REST\n" +
	"LIKE recommend like love support want prefer favour favor defend trust praise enjoy admire back welcome need choose " +
	"embrace endorse adore appreciate cherish value celebrate treasure applaud promote encourage champion advocate; believe " +
	"in; are|is for; are|is in favour|favor|support of; agree with; are|is pro; vote|voted|argue for; approve of; swear by; " +
	"rave about; opt|go for; stand up for; are|is|am fond|proud|supportive of; are|is|am in_favour_of|in_favor_of; " +
	"are|is|am|'m DET fan|fans|supporter|supporters|advocate of; be for|in_favour_of|in_favor_of\n" +
	"HATE quit regret hate dislike oppose reject distrust criticize criticise despise resist loathe ban condemn boycott " +
	"opposed shun avoid detest mistrust fear resent protest abhor scorn denounce deplore; am|are|is|were|was against; " +
	"disagree with; don't|doesn't|do_not|does_not|dont|doesnt|didn't like|want|support|trust|believe_in|agree_with|need; " +
	"object|objected to; complain about; doubt|doubted; vote|voted|argue|warn|warned|protest|fight|are_fighting|protested " +
	"against; turn|turned against; warn|warned|warning about|of; stay|stays away from; refuse|refuses; say|said no to; be " +
	"against|opposed_to|critical_of\n" +
	"OPPOSE oppose reject criticize criticise debunk refute rebut disprove contradict dispute condemn attack challenge " +
	"question undermine weaken deny slam bash blast denounce deplore decry discredit slate lambast mock ridicule blame " +
	"doubt protest fight resist combat counter dismiss abhor censure damn discourage repudiate falsify invalidate dismantle " +
	"demolish deconstruct expose deride reproach; OPPOSING; argue|speak|is|are against; disagree with; object to; cast " +
	"doubt on; are|is OPPOSING; speak|speaks out against; " +
	"argue|argues|write|writes|warn|warns|protest|protests|campaign|rally|fight|fights|be|come_out|take_a_stand|make_a_case|make_the_case " +
	"against; have doubts about\n" +
	"OPPOSING opposing rejecting criticizing criticising debunking refuting rebutting disproving contradicting disputing " +
	"condemning attacking challenging questioning undermining denying against slamming bashing; arguing|speaking against; " +
	"disagreeing with; objecting|opposed|hostile to; casting doubt on; critical|skeptical|sceptical|dismissive of|about; in " +
	"opposition to; " +
	"arguing|speaking|speaking_out|writing|warning|protesting|campaigning|rallying|fighting|coming_out|making_the_case|making_a_case|voting " +
	"against; warning of|about; negative|unfavourable about|towards|on\n" +
	"DEFEND support endorse defend favour favor praise back promote justify advocate champion recommend celebrate welcome " +
	"commend extol hail uphold vindicate applaud affirm confirm plead urge encourage prove sanction substantiate; " +
	"DEFENDING; argue|speak for|in_favour_of|in_favor_of; agree with; " +
	"argue|argues|speak|speaks|be|come_out|take_a_stand|stand_up|stick_up for|in_favour_of|in_favor_of|in_support_of\n" +
	"DEFENDING supporting endorsing defending favouring favoring praising backing promoting justifying pro; " +
	"arguing|speaking for|in_favour_of|in_favor_of; in favour|favor|support|defence|defense|praise of; supportive of; " +
	"advocating for?; " +
	"arguing|speaking|speaking_up|standing_up|sticking_up|campaigning|coming_out|making_the_case|making_a_case|calling|pleading|voting " +
	"for|in_favour_of|in_favor_of|in_support_of\n" +
	"DEBUNK debunk debunking refute refuting disprove disproving rebut rebutting criticise criticising criticize " +
	"criticizing oppose contradict contradicting condemning\n" +
	"SHOULD should must; ought|need to\n" +
	"SHOULDNT shouldn't shouldnt mustn't wouldn't wouldnt; should|must not|never; should|must stop|avoid; don't|dont|do_not " +
	"need|have to?; ought not to; need to? stop; should|must no longer; would|will never|not|no_longer; never\n" +
	"WE we you people i one they anyone anybody someone everyone everybody society governments schools parents\n" +
	"NEGREVIEW negative critical bad harsh scathing unfavourable unfavorable sceptical skeptical hostile dissenting " +
	"opposing disapproving angry unflattering damning withering devastating gloomy dismissive nasty horrible terrible awful " +
	"disappointing anti\n" +
	"POSREVIEW good positive favourable favorable glowing supportive enthusiastic sympathetic approving uplifting rave " +
	"flattering encouraging upbeat kind admiring laudatory\n" +
	"REVIEW essay look view piece story text voice report coverage study review feedback press opinion view take comments " +
	"experiences reactions article editorials essays coverage reactions pieces voices argument perspective commentary texts " +
	"posts stories evidence things look testimony assessment evaluation appraisal remark statement judgement judgment " +
	"sentiment attitude verdict critique portrayal depiction news headline letter blog paragraph experience\n" +
	"ISBAD ; BE VERY? BADADJ FORWHOM?; FAILS FORWHOM?; should|must|ought_to|need_to|needs_to|has_to|have_to be BANNED " +
	"FORWHOM?; ISNT REST; should|must not|never|no_longer exist|happen|be_allowed|be_legal|be_built|be_taught; " +
	"shouldn't|mustn't|shouldnt exist|happen|be_allowed|be_legal|be_built; make|makes bad|terrible|poor|awful REST\n" +
	"ISGOOD ; BE VERY? GOODADJ|NEEDED FORWHOM?; VERY? WORKS FORWHOM?; make|makes " +
	"good|great|wonderful|excellent|perfect|ideal REST\n" +
	"REFUSE oppose reject boycott resist distrust avoid fear hate dislike shun; say no to; steer|stay|keep " +
	"clear|away|well_clear of|from; be|remain " +
	"against|wary_of|sceptical_of|skeptical_of|sceptical_about|skeptical_about|critical_of|suspicious_of|afraid_of|scared_of|worried_about|concerned_about|opposed_to|careful_with|cautious_about; " +
	"worry about; think twice about|before; beware of; not|never to?; object to; have doubts about; stop " +
	"using|buying|eating|watching|wearing|supporting; be concerned|worried|sceptical|skeptical|afraid|nervous|careful " +
	"about|of|with\n" +
	"REFUSING opposing rejecting boycotting resisting distrusting avoiding fearing hating disliking not; saying no to; " +
	"being against|wary_of|sceptical_of|skeptical_of|critical_of|opposed_to\n" +
	"PROCON for/against pro/con pro/contra; for|pro AND|or DET? ARG? against|con|contra; " +
	"in_favour|in_favor|in_favour_of|in_favor_of|in_support_of AND DET? ARG? against|in_opposition_to|opposed_to; for AND " +
	"DET? those|these|ones|other against; supporting|defending|favouring|favoring AND " +
	"opposing|against|attacking|criticising|rejecting; against AND for|in_favour_of|in_favor_of; pro et|y|und contra|con; " +
	"that|who|which? support AND oppose; pro contra; pro con; for AND one|some|others|another|two|three|those|NUM ADJ ARG? " +
	"against\n" +
	"REASONS reason ground justification motive excuses; good reason\n" +
	"FOLLY mad crazy foolish stupid unwise insane silly dumb daft reckless irresponsible naive wrong idiotic nuts; an " +
	"idiot; a fool; better off not|without; making a mistake\n" +
	"WISDOM wise smart right clever sensible glad happy lucky; better off; well advised; a fool not\n" +
	""
