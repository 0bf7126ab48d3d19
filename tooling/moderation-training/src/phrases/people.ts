/**
 * Ordinary sentences about people of all groups, written for this package to learn from: to name a group is not to attack it.
 * `expand` takes part of the combinations.
 */
const who =
  '{gay|lesbian|bisexual|trans|queer|Black|white|Asian|brown|Latino|Indigenous|Muslim|Jewish|Christian|Hindu|Sikh|atheist|Arab|African|Mexican|Chinese|Indian|Polish|Turkish|Nigerian|immigrant|refugee|disabled|deaf|blind|autistic|elderly|fat|old|young|foreign|Roma|Iranian|Pakistani|Somali}';
const groups =
  '{gay men|lesbians|trans people|trans women|Black people|white people|Asians|Muslims|Jews|Christians|Hindus|immigrants|refugees|women|men|disabled people|deaf people|autistic children|old people|Arabs|Mexicans|Africans|Roma families|veterans|Indians|Poles}';
const person =
  '{woman|man|neighbour|teacher|colleague|friend|couple|family|doctor|student|mother|grandfather|nurse|bus driver|girl next door|boy in my class}';

export const people: readonly string[] = [
  `{my|our|a|the|his|her} ${who} ${person} {runs a small business|works at the library|plays the violin|baked bread for us|bought the flat upstairs|is moving to Bristol|has two cats|is learning to drive|won the race|came to dinner|is always on time|likes old films}`,
  `{she|he} is a ${who} ${person} {who runs a bookshop|from a small town|who teaches maths|who grew up near the sea|with a good sense of humour|who paints|who sits on the council|and a good cook}`,
  `I am a ${who} {man|woman|person|student|father|mother|engineer} {and I have lived here for years|and I love hiking|looking for a flat|from Manchester|, nice to meet you|who writes poems|and work in a bank}`,
  `I am ${who}{| and proud of it| and happy| and thirty years old| and so is my partner}`,
  `${groups} {can apply at this office|have the right to vote|pay taxes like everyone else|came to the meeting|are welcome here|opened a café in our street|told their stories on the radio|need better access to buses|deserve respect|celebrated on Saturday|are part of our history|live in every city}`,
  `{how many|why do|where do|what do} ${groups} {live in this country|celebrate in spring|work in health care|think about the new law|face discrimination at work|read most}{?|}`,
  `{the|a new|this} {museum|club|film|book|exhibition|study|course} {about|for|on|by} ${groups} {opens next week|was interesting|is in the old town|has good reviews|starts in March|is free}`,
  `{two|three|some|many} ${who} {students|families|artists|players|workers|children} {joined the team|moved into the building|visited the school|sang at the festival|received a prize|helped to clean the park}`,
  `{is there|where is|can you recommend} a ${who} {restaurant|community centre|bookshop|choir|film festival|bakery|church group|dating app} {nearby|in Berlin|in the city centre}{?|}`,
  `my {son|daughter|brother|sister|cousin|best friend} {came out as|told us that they are|is} {gay|lesbian|trans|bisexual|queer} {and we are happy for them|last year|, how can I support them|}{.|}`,
  `{women's|men's|Black|Jewish|Muslim|Asian|gay|Roma|disability|immigrant} {football|history|culture|health|literature|music|rights|art} {is popular|is taught at our school|month starts today|is my favourite subject|matters to all of us}`,
  '{the|our} {priest|rabbi|imam|pastor|monk} {retires this summer|spoke about hope|visited the school|plays chess|married us|is on holiday}',
  '{black|white|brown|yellow|red} {coffee|bread|shoes|paint|rice|cats|birds|shirt|horse|pepper} {is|are} {on the table|my favourite|on sale|in the kitchen|too expensive|ready}',
  '{passports|tickets|forms|benefits|toilets|changing rooms} for {trans people|women|disabled people|refugees|families|men|older people} {are on the second floor|can be ordered online|were updated|are free}',
];

/** Short messages as people send them. */
export const shortMessages: readonly string[] = [
  '{hello|hi|hey|good morning|good evening|good night|hey there|hiya|greetings|howdy}{| everyone| there| all| friend| again| my dear| team}{|!|.| :)}',
  '{how are you|how is it going|what is up|how was your day|who are you|what is your name|where are you from|can you help me|are you there|what can you do}{|?| today?| now?}',
  '{thanks|thank you|cheers|ok|okay|yes|no|sure|maybe|great|cool|lol|haha|wow|nice|please|sorry|bye|see you|good|fine|test|stop|why|what|when|right|exactly|agreed}{| a lot| then| I guess| of course| to you too| so much}{|!|.|?}',
  '{I am|we are|they are} {fine|tired|hungry|late|at home|on the bus|busy|here|bored|lost|cold|happy|ready}{| now| again| today| tonight}{|.|!}',
  '{the|this|my} {weather|food|music|room|train|phone|dog|baby|coffee|game|film} is {nice|bad|cold|late|good|loud|broken|sweet|funny|awful|boring|great}{| today| again}',
  '{see you|call me|text me|meet me|wait for me} {later|tomorrow|at six|when you can|at the station|tonight}{| ok?| please| love}',
  '{what|where|when|who|how much} {is|was} {it|that|the price|the score|the address|the time|the answer|your favourite colour}{|?}',
];

/** A word or two alone name something, and do nothing. */
export const names: readonly string[] = [
  '{gay|lesbian|bisexual|trans|queer|transgender|homosexual|LGBT}{| people| men| women| rights| bar| couple| pride| culture}{|?}',
  '{black|white|Asian|brown|Latino|African|Arab|Mexican|Chinese|Indian|Roma|immigrant|refugee|foreign|Pakistani}{| people| men| women| food| music| families| history| art}{|?}',
  '{Muslim|Jewish|Christian|Hindu|Sikh|Islamic|Catholic|Buddhist}{| people| women| holidays| food| schools| faith| families| art}{|?}',
  '{Muslims|Jews|Christians|Hindus|immigrants|refugees|blacks|whites|gays|lesbians|Arabs|Africans|Mexicans|foreigners|disabled people|migrants|Israel|Palestine}{| today| here| and politics|?}',
  '{women|men|girls|boys|kids|children|teenagers|babies|a woman|a girl|a boy|a child|mothers|wives|ladies|feminists}{| today| at work| and sport| at home|?}',
  '{pills|rope|knife|gun|blade|bridge|tablets|bleach|poison|needle|scars|blood|weapon|bomb|drugs|weed|police|army|war|death|suicide|murder|terrorism|crime|prison|hacking|virus|fire|explosion}{|s| again| store| policy| in films|?}',
  '{sex|porn|nudity|breasts|condoms|kiss|virgin|naked|body|pregnancy|puberty|rape}{| education| statistics| law| in art| and health|?}',
  '{sure|certainly|absolutely|of course|definitely|sorry|hm|oops|really|never|always|nothing|everything|me|you|they|him|her|us|it}{| thing| then|!|?|.}',
  '{school|business|house|garden|money|work|holiday|summer|family|dog|cat|car|train|bread|soup|book|letter|game|doctor|hospital|church|mosque|synagogue|temple}{|s| news| opening hours| near me|?}',
];

/** Other languages: their words are not English ones that look the same. */
export const otherLanguages: readonly string[] = [
  '{die|der|das|eine|unsere} {Seite|Katze|Datei|Schule|Antwort|Liste|Frau|Tür|Zeit|Stadt} {ist|wird|war|hat|kann} {schön|geladen|gelöscht|neu|nicht gefunden|groß|fertig|bald offen}{.|!|}',
  '{ich|du|wir|sie|er|man} {bin|bist|sind|hat|war|kann|will|muss} {heute|gut|nicht|hier|müde|dick|mit dem Zug|zu Hause|die Datei} {da|gekommen|sehen|speichern|angekommen}{.|}',
  '{was|wie|wo|wer|wann|warum} {ist|sind|kann ich|macht man|hat} {die|der|das|mit den|für die} {Kinder|Einstellungen|Kosten|Hunde|Nachricht|Fehler|Straße}{ ändern| heute|}?',
  '{le|la|les|une|mon} {page|fichier|chat|fille|liste|réponse|ville} {est|sont|a été|était} {belle|chargée|en retard|trouvé|grande|prête}{.| aujourd hui.}',
  '{el|la|los|una|mi} {casa|archivo|negro|niña|respuesta|perro|página|lista} {es|está|son|fue} {grande|bonita|nuevo|aquí|cargada|lista}{.| hoy.}',
  '{de|het|een|mijn} {pagina|kat|bestand|school|vraag|hond} {is|was|wordt|kan} {mooi|geladen|niet gevonden|klaar|groot|dik}{.| vandaag.}',
  '{il|la|un|una|mia} {pagina|gatto|risposta|figlia|scuola} {è|era|sono} {bella|caricata|pronta|grande|nuova}{.| oggi.}',
];
