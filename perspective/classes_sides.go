package perspective

// askClasses: who asks, and for what.
const askClasses = "" +
	"WHATS what's whats; what BE\n" +
	"BE is are was were be\n" +
	"DO do does did would might could can will has have\n" +
	"SEEN seen viewed perceived regarded handled regulated experienced done discussed debated covered reported portrayed " +
	"judged treated taught celebrated described; talked|thought|written about|of; reported|written on; looked " +
	"at|on|upon|down_on\n" +
	"HANDLE handle see view regulate treat approach manage tackle perceive; deal with; think|feel about\n" +
	"DET the a an some any its their\n" +
	"ON about on regarding concerning over\n" +
	"OF of about on regarding concerning to with in for against toward around behind\n" +
	"FOR for supporting defending favoring favouring pro; in favour|favor|support|defence|defense of; that|which MAY? " +
	"DEFEND\n" +
	"CON against opposing contra anti; in opposition to; opposed|contrary to; critical of; that|which MAY? OPPOSE\n" +
	"NUM two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty hundred few couple several; " +
	"couple|few of\n" +
	"PRONOUN it this them\n" +
	"LEAD find need want show explain know understand list name write; looking|look|searching|search|ask|asking for; " +
	"give|tell|show|get|send|find me|us; write|writing|presentation|essay|speech|debate about|on; " +
	"give|write|hold|prepare|do|make\n" +
	"TASK debate essay homework presentation assignment class project paper speech exam thesis discussion school course " +
	"seminar article blog\n" +
	"TAIL ; for|in my|our ADJ TASK REST; for|in class|school|uni|university|college " +
	"tomorrow|today|please|project|debate|essay\n" +
	"HOWTO ; how to; how|where DO WE\n" +
	"CAN can could would might should\n" +
	"ABOUT about on explaining saying arguing showing proving claiming; that|which say|says|explains|explain|argue|argues\n" +
	"WERE were was been; that|which were|was\n" +
	"BACK ; back\n" +
	"MUCH ; most|closest|more|very; a_bit|a_little|somewhat\n" +
	"VERY still ever so really very actually always often such just also too generally inherently fundamentally morally\n" +
	"FORWHOM ; for|to REST; in|at|as|from|by|on REST; and|but REST\n" +
	""

// documentClasses: things that take a side by a word after them.
const documentClasses = "" +
	"ARG argument reason point case evidence proof opinion voice claim statement view thought consideration grounds facts " +
	"material argumentation position stance speech speeches plea something anything things; talking points\n" +
	"DOC update article text paper editorial essay post blog book report story news passage document column letter comment " +
	"review source study research piece op-ed oped commentary coverage interview quote poem writing analysis analyses press " +
	"media newspapers headlines website webpage outlet magazine forum channel lecture talk pamphlet documentary podcast " +
	"speech speeches sermon letter tweet reporting journalism literature novel publications opinion view accounts something " +
	"anything perspective reactions discussion debate; blog|news|newspaper|magazine|press|media|opinion " +
	"article|post|report|story|coverage|piece|sources|clippings|releases; op ed|eds; points of view; letters to the editor; " +
	"experience|field|case report\n" +
	"PEOPLE people someone somebody anyone anybody voices groups politicians parties experts scientists parents those " +
	"protesters campaigners activists citizens residents economists writers authors thinkers philosophers teachers doctors " +
	"celebrities states countries others many most some everyone folks\n" +
	"SAY say says said think thought believe feel argue claim write wrote report tell teach teaches suggest show shown " +
	"found recommend advise; have|has to say; tell us; have|has said|written\n" +
	"SEE see sees saw view viewed perceive experience experienced regard rate judge; " +
	"feel|felt|think|thought|talk|talked|think|write about|of|on; react|respond to; report|reports|reported on; look at|on\n" +
	"MAY would might could will can may really actually typically usually generally should must do did all; used to; " +
	"have|has to; tend to; is|are likely to\n" +
	""

// nounClasses: sides, by nouns.
const nounClasses = "" +
	"GOODS pros advantage benefit upside merit strengths positives virtues pluses plusses rewards perks; good " +
	"points|sides|things|aspects|parts; positive aspects|sides|effects|points|impact|things|consequences; " +
	"bright|positive|good side; plus points; selling points\n" +
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
	"BOTH for/against pro-con pro-contra pros-cons pros/cons pros&cons pro/con pro/contra; pros|pro|pro's AND? DET? " +
	"cons|con|contra|con's; cons|con AND? DET? pros|pro; GOODS AND DET? ADJ BADS; costs|chances|opportunities AND DET? " +
	"GOODS|risks|dangers|costs; advantages disadvantages; GOODS AND costs; BADS AND DET? GOODS; ARG? for AND? against; ARG? " +
	"for AND the? ARG? against; ups and downs; GOODS AND DET? challenges|limits|limitations|problems|issues|hazards; ARG? " +
	"against AND for; ARG pro AND contra|con; DET? good|plus|positive|strong AND DET? bad|minus|negative|weak " +
	"sides|aspects|points|things|parts|effects|impacts|consequences?; strengths AND limitations|weaknesses; weaknesses AND " +
	"strengths; promise|opportunities|rewards AND DET? peril|pitfalls|risks|dangers|threats\n" +
	"BOTHSIDES ; both|two sides|viewpoints|views|perspectives|camps; both|two|different sides; either side; two opposing " +
	"sides|views; all|different sides\n" +
	"BALANCED balanced two-sided nuanced impartial even-handed; two|both sided; even handed\n" +
	"LIKES like love enjoy support favour favor appreciate praise; like best\n" +
	"DISLIKES dislike hate oppose reject loathe criticise criticize\n" +
	"OR or vs versus / and & not; or not\n" +
	"TWOSIDED ; blessing|boon|opportunity|chance|benefit|help|asset|gift|progress OR DET? " +
	"curse|bane|threat|risk|danger|burden|hindrance|harm|liability|setback; curse|bane|threat|risk|danger|harm|burden OR " +
	"DET? blessing|boon|opportunity|chance|benefit|gift|asset|help; friend or foe; hero or villain; yay or nay; yes or no; " +
	"right or wrong; help|helpful|useful|healthy|beneficial or harmful|hurtful|useless|unhealthy|dangerous; more " +
	"harmful|harm|bad than helpful|good|beneficial; more helpful|good than harmful|harm|bad; pro or contra|con; for or " +
	"against; good|bad or evil|bad|good; love|loved or hate|hated; do|dos or dont|donts\n" +
	"SIDES views viewpoints opinions sides arguments perspectives positions\n" +
	"ISSUE debate argument issue question controversy discussion story dispute\n" +
	"COUNTER resistance counterargument counter-argument counterpoint counter-point counterevidence counter-evidence " +
	"objection rebuttal refutation criticism critique opposition disagreement skepticism scepticism counterclaim " +
	"counter-claim hostility takedown; counter argument|evidence|claim|point|position; contra argument\n" +
	"WORRY attacks reservations complaints doubt worries fears concerns misgivings anger outrage backlash protest warning " +
	"criticisms gripes\n" +
	"CRITICS opponent critic skeptics sceptics detractors haters adversaries doubters opposers naysayers\n" +
	"FRIENDS supporter advocate proponent defender backers admirers\n" +
	""

// verbClasses: sides, by adjectives and verbs.
const verbClasses = "" +
	"GOODADJ sustainable efficient fun good great beneficial useful helpful better best right fair effective justified " +
	"worthwhile awesome healthy positive amazing wonderful excellent fantastic brilliant overdue underrated desirable " +
	"sensible smart worth; worth it; worth REST; DET good|great|smart|wise|right|better|best|positive|wonderful " +
	"idea|thing|choice|decision|investment|way|option|move|solution|policy|step|habit|deal|model; better than REST; good " +
	"news; the future; here to stay; DET really|very|truly good|great|smart idea; DET " +
	"excellent|fantastic|wonderful|brilliant|perfect idea|choice; such a good|great|smart idea; the " +
	"best|right|way_to_go|right_thing REST; DET must; DET blessing|win|gift|win-win REST; worth trying|doing\n" +
	"NEEDED important essential necessary crucial vital valuable needed safe relevant\n" +
	"PLAINGOOD underrated awesome amazing brilliant wonderful worthwhile good great better right beneficial; DET good|great " +
	"idea|thing|choice; better than REST; so|really good|great; worth it; worth REST; the future; here to stay; DET " +
	"good|great|smart|best investment|move|choice; such a good|great idea; DET must; DET really|very good idea; DET " +
	"excellent idea; DET blessing; DET way to go; so useful|helpful|important|popular|great|good\n" +
	"VERDICT smart wise sensible reasonable clever sustainable ethical unethical moral immoral fair unfair justified " +
	"overrated underrated harmful wrong necessary cruel worthwhile outdated; any good; worth " +
	"it|the_money|a_try|a_visit|the_effort|the_hype|the_cost|the_risk|the_price|the_trouble; DET " +
	"good|bad|great|smart|wise|sensible idea|thing|choice|decision|investment|move|deal|policy|system|solution; DET " +
	"good|bad way to REST; DET mistake|scam|hoax|failure|success|disaster|threat|waste_of_money|waste_of_time; the " +
	"answer|solution|future; good|better|bad|worse for the? environment|planet|economy|society|democracy|teenagers\n" +
	"BANNED banned abolished outlawed stopped scrapped prohibited ended closed illegal boycotted; done away with; got rid " +
	"of\n" +
	"ALLOWED allowed legal legalised legalized compulsory mandatory free permitted taxed regulated decriminalised " +
	"privatised nationalised taught funded lowered raised reformed\n" +
	"BADADJ annoying irresponsible exploitative discriminatory unrealistic overhyped disrespectful wasteful addictive " +
	"doomed elitist invasive misleading manipulative bad negative wrong harmful cruel unfair evil dangerous overrated " +
	"useless terrible unethical immoral unjust pointless toxic stupid awful unhealthy broken flawed inhumane outdated " +
	"unnecessary unsustainable ineffective misguided counterproductive unconstitutional horrible undemocratic racist sexist " +
	"boring worse worst ridiculous inefficient problematic nonsense rubbish garbage unsafe silly worthless unreliable " +
	"misleading inaccurate unscientific hypocritical risky destructive ugly; DET " +
	"bad|terrible|stupid|awful|poor|horrible|wrong idea|thing|choice|decision|investment|way|option|move|deal|policy|habit; " +
	"DET disaster|mistake|scam|failure|waste|myth|problem|threat|fraud|danger|lie|joke|trap; DET waste of REST; not " +
	"a_good|good|the_right idea|answer|solution|enough|thing; not GOODADJ; worse than REST; bad news; doomed to fail; " +
	"killing|hurting|ruining|destroying|harming REST; not the answer|solution; DET really|very|truly|pretty|truly " +
	"bad|terrible|stupid|awful idea; such|just|simply a bad|terrible|stupid|awful|horrible idea; DET " +
	"huge|big|great|terrible|costly|grave mistake|problem|threat|waste|failure|disaster|scam|danger; DET " +
	"awful|dreadful|silly|lousy|crazy idea; too expensive|dangerous|risky|slow|much; DET step backwards|backward|back; " +
	"making us|people|kids|children REST; causing more REST; out of touch; unfit for REST\n" +
	"PLAINBAD problematic unsustainable misguided counterproductive sexist racist undemocratic discriminatory overhyped " +
	"nonsense inhumane outdated useless pointless flawed unjust inhumane stupid terrible awful ridiculous controversial bad " +
	"negative wrong harmful evil unfair overrated cruel unethical immoral worse; DET bad|terrible idea|thing|choice; DET " +
	"mistake|scam|disaster|failure|threat|flop|problem; worse than REST; so|really bad|harmful; considered " +
	"harmful|bad|unethical|wrong|unfair|cruel; DET really|very bad idea; such a bad|terrible idea; DET huge|big|terrible " +
	"mistake|problem|threat; DET awful|stupid idea; DET waste of REST; not DET? good|worth|answer|solution REST; morally " +
	"wrong; DET step backwards|back; DET danger|threat to REST\n" +
	"FAILS fail failed suck backfire; will|would fail|flop|collapse|never_work|not_work|backfire; " +
	"doesn't|don't|didn't|won't|can't|cannot|will_not|does_not|do_not|can_not|never|doesnt|dont|wont|cant " +
	"work|help|make_sense|pay|pay_off|matter|deliver REST; " +
	"harm|hurt|destroy|ruin|damage|kill|threaten|endanger|undermine|hinder|weaken REST; make no sense; make REST worse; " +
	"does|do more harm than good\n" +
	"WORKS work matter; make sense; make REST better; help|improve|benefit|save|protect|strengthen REST; does|do more good " +
	"than harm; pays|pay off; will work|succeed|win REST; beat REST\n" +
	"LIKE recommend like love support want prefer favour favor defend trust praise enjoy admire back welcome need choose " +
	"embrace endorse; believe in; are|is for; are|is in favour|favor|support of; agree with; are|is pro; vote|voted|argue " +
	"for; approve of\n" +
	"HATE quit regret hate dislike oppose reject distrust criticize criticise despise resist loathe ban condemn boycott " +
	"opposed; am|are|is|were|was against; are|is|were|was opposed|hostile to; disagree with; " +
	"don't|doesn't|do_not|does_not|dont|doesnt|didn't like|want|support|trust|believe_in|agree_with|need; disapprove of; " +
	"object|objected to; complain about; doubt|doubted; vote|voted|argue|warn|warned|protest|fight|are_fighting|protested " +
	"against; are|is critical|skeptical|sceptical of|about; turn|turned against; warn|warned|warning about|of\n" +
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
	"REVIEW essay look view piece story text voice report coverage study review feedback press opinion view take comments " +
	"experiences reactions article editorials essays coverage reactions pieces voices argument perspective commentary texts " +
	"posts stories evidence things look\n" +
	""
