package perspective

// whenClasses: when and where, and political leanings.
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
