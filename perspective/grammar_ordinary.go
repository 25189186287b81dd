package perspective

// ordinaryRows has texts that only look like requests.
const ordinaryRows = "" +
	"ordinary: ANY EXTRA\n" + // why should i care lyrics; the dark side of the moon tracklist
	"ordinary: TITLED X GIVEN REST\n" + // the case for mars robert zubrin; in defence of food michael pollan
	"ordinary: DET? case for DEVICE REST\n" + // the case for christ; case for iphone 15
	"ordinary: what? is? TITLED the? BOOK REST\n" + // the dark side of the moon; in defence of the realm
	"ordinary: CODE X? similar|like|equivalent|since|against REST\n" + // git log since yesterday; java string similar to substring
	"ordinary: WHATS VERY? BADADJ with this|my|these REST\n" + // what's wrong with this code; what is wrong with my boiler
	"ordinary: ADJ problem|trouble|issue with DEVICE\n" + // problems with windows update
	"ordinary: should i|we|you use|write|say REST\n" + // should i use who or whom
	"ordinary: why BE|DO my|your REST\n" + // why does my back hurt
	"ordinary: ANY? OUTLET news REST\n" + // bbc news today
	"ordinary: ted talk REST\n" + // ted talks about sleep
	"ordinary: guide|help|support for ADJ LEARNERS|PERSONS\n" + // guide for parents
	"ordinary: list of X since|from|in|before|after|until WHEN\n" + // list of popes since 1800
	"ordinary: ADJ experience with ANY required|needed|preferred|essential\n" + // experience with sap required
	"ordinary: should i|you call|see|go|be|stay_or REST\n" + // should i see a doctor
	"ordinary: what is|was the reason for REST\n" + // what was the reason for the boston tea party
	"ordinary: ADJ argument for|of ADJ DET? ADJ command|function|method|constructor REST\n" + // arguments for the tar command
	"ordinary: DET? gospel|world|cite|sort|arrange X? according_to REST\n" + // the world according to garp; cite a website according to apa
	"ordinary: ADJ problems with answers|solutions REST\n" + // algebra problems with answers
	"ordinary: should i|you X with|before|after|without|for REST\n" + // should i take paracetamol with food
	"ordinary: good|great|best|better view of|from REST\n" + // good view of the eclipse
	"ordinary: ADJ PERSONS on strike|call|duty|tour|tv|benefits REST\n" + // teachers on strike
	"ordinary: men|women|kids|children on the REST\n" + // women on the verge
	"ordinary: office|bureau for|of national? statistics REST\n" + // office for national statistics
	"ordinary: against IDIOM REST\n" + // against all odds cast
	"ordinary: ADJ ARG|DOC against IDIOM REST\n" + // the case against humanity
	"ordinary: DET? case for the_defence|the_defense|prosecution\n" + // the case for the defence
	"ordinary: ADJ reason for ADJ CAUSED REST\n" + // reasons for the fall of rome
	"ordinary: X? NOBENEFIT benefits\n" + // texas unemployment benefits; housing benefits
	"ordinary: supporting DOC|actor|actress|role|character REST\n" + // supporting documents for visa application
	"ordinary: WHATS the? weather REST\n" + // what was the weather like yesterday
	"ordinary: expert|professional opinion fee|letter|report|synonym|evidence\n" + // expert opinion fee
	"ordinary: news readers REST\n" + // news readers on bbc breakfast
	"ordinary: ANY? file|filing|lodge|lodging DET claim|complaint|lawsuit|suit|appeal against REST\n" + // deadline to file a claim against a builder
	"ordinary: ANY in french|spanish|german|italian|latin|japanese|welsh|portuguese|russian|polish|dutch|swedish|irish|greek|korean|chinese|arabic\n" + // oppose as a verb in french
	"ordinary: defending champion REST\n" + // defending champion wimbledon
	"ordinary: good AND|or bad cholesterol|credit|guy|luck|bacteria|fat|carb|cop|blood REST\n" + // good and bad cholesterol levels
	"ordinary: weather|calendar|timetable|tickets|time|days REST\n" + // weather since monday
	"ordinary: ADJ FORECAST for|on the_weekend|tomorrow|today|tonight|monday\n" + // forecast for the weekend
	"ordinary: X? NOCRITIC criticism|cons|critics REST\n" + // film criticism
	"ordinary: ADJ critics of WHEN\n" + // literary critics of the 20th century
	"audience: T for people|those|someone|anyone|folks|adults who NOVICE REST\n" + // [mortgages] for people who know nothing about finance
	"ordinary: ADJ PRODUCT for ADJ PERSONS|LEARNERS over|under|aged|with|without|who|in REST\n" + // haircuts for women over 60
	"audience: ADJ introduction|guide|intro to|on|into X for absolute|complete|total|utter beginners|novices|newbies\n" + // introduction to [sewing] for absolute beginners
	"audience: T for absolute|complete|total|utter beginners|novices|newbies|dummies|laymen|starters|amateurs\n" + // [knitting socks] for absolute beginners
	"ordinary: ADJ PRODUCT for ADJ LEARNERS|PERSONS\n" + // best laptops for students
	"ordinary: opposing counsel|team|player|force|fixture|thumb REST\n" + // opposing counsel definition
	"ordinary: X? according_to NOVIEW REST\n" + // meaning of the idiom according to plan
	"ordinary: ADJ WORDY similar|like REST\n" + // words similar to happy
	"ordinary: HOWTO make|sew|print DET? case for DET? DEVICE\n" + // how to make a case for a phone
	""
