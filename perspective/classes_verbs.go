package perspective

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
	"important|useful|essential|necessary|crucial|helpful|valuable|vital for|to REST; such DET GOODADJ REST; so " +
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
	"mistake|problem|threat; DET waste of REST; not DET? good|worth|answer|solution REST; morally wrong; such DET BADADJ|problem|threat|disaster|mistake|scam|failure|waste|myth|danger|lie|joke|trap|nightmare|burden|nuisance REST; DET " +
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
