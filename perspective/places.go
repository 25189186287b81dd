package perspective

// Names of countries, regions and large cities, and of the people who live there. A name
// that is not listed is known as a place only by what stands around it.
const (
	placeWords = " africa america asia europe australia oceania scandinavia afghanistan albania algeria andorra angola argentina armenia austria azerbaijan " +
		"bahrain bangladesh barbados belarus belgium belize benin bhutan bolivia bosnia botswana brazil britain brunei bulgaria burma burundi cambodia " +
		"cameroon canada chad chile china colombia congo croatia cuba cyprus czechia denmark ecuador egypt england eritrea estonia eswatini ethiopia fiji " +
		"finland france gabon gambia georgia germany ghana greece greenland grenada guatemala guinea guyana haiti honduras hungary iceland india " +
		"indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya korea kosovo kuwait kyrgyzstan laos latvia lebanon lesotho " +
		"liberia libya liechtenstein lithuania luxembourg madagascar malawi malaysia maldives mali malta mauritania mauritius mexico moldova monaco " +
		"mongolia montenegro morocco mozambique myanmar namibia nepal netherlands nicaragua niger nigeria norway oman pakistan palestine panama " +
		"paraguay peru philippines poland portugal qatar romania russia rwanda senegal serbia singapore slovakia slovenia somalia spain sudan suriname " +
		"sweden switzerland syria taiwan tajikistan tanzania thailand tibet togo tunisia turkey turkmenistan uganda ukraine uruguay uzbekistan venezuela " +
		"vietnam wales yemen zambia zimbabwe scotland usa us uk eu uae california texas florida alaska hawaii bavaria catalonia quebec siberia balkans " +
		"london paris berlin rome madrid vienna moscow tokyo beijing shanghai delhi mumbai cairo lagos nairobi sydney melbourne toronto chicago boston " +
		"washington seattle dublin edinburgh glasgow manchester liverpool amsterdam brussels copenhagen oslo stockholm helsinki warsaw prague budapest " +
		"athens lisbon barcelona milan munich hamburg cologne frankfurt zurich geneva istanbul ankara jerusalem baghdad tehran kabul karachi dhaka " +
		"bangkok jakarta manila seoul detroit denver houston dallas miami montreal vancouver havana bogota lima santiago caracas kyiv kiev abroad "
	nationWords = " african american asian european australian scandinavian afghan albanian algerian angolan argentinian argentine armenian austrian " +
		"bangladeshi belarusian belgian bolivian bosnian brazilian british bulgarian burmese cambodian canadian chilean chinese colombian congolese " +
		"croatian cuban cypriot czech danish dutch ecuadorian egyptian english estonian ethiopian filipino finnish french georgian german ghanaian greek " +
		"guatemalan haitian hungarian icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese jordanian kazakh kenyan korean " +
		"kuwaiti latvian lebanese libyan lithuanian malaysian maltese mexican moldovan mongolian moroccan nepalese nepali nigerian norwegian pakistani " +
		"palestinian peruvian polish portuguese qatari romanian russian rwandan saudi scottish senegalese serbian singaporean slovak slovenian somali " +
		"spanish sudanese swedish swiss syrian taiwanese tanzanian thai tibetan tunisian turkish ugandan ukrainian uruguayan venezuelan vietnamese welsh " +
		"yemeni zambian zimbabwean nordic baltic arab latin-american californian texan bavarian catalan parisian "
	peopleWords = " africans americans asians europeans australians afghans albanians argentinians austrians belgians brazilians brits britons bulgarians " +
		"canadians chileans colombians croatians cubans czechs danes dane egyptians estonians ethiopians filipinos finns georgians germans ghanaians greeks " +
		"hungarians icelanders indians indonesians iranians iraqis israelis italians jamaicans kenyans koreans latvians lebanese lithuanians malaysians " +
		"mexicans moroccans nigerians norwegians pakistanis palestinians peruvians poles portuguese romanians russians scots serbians serbs slovaks " +
		"slovenes somalis spaniards swedes swede syrians thais tibetans tunisians turks ugandans ukrainians venezuelans arabs texans londoners new-yorkers "
)
