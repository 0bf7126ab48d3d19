import { classes, riskyWords, type Classes } from './lexicon.ts';
import { indexOf, matches } from './patterns.ts';
import type { Work } from './work.ts';

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Things that are often killed, shot, executed and bombed without harm. */
const technical = list(
  'process processes job jobs task tasks thread threads server servers session sessions daemon container containers pod pods query queries',
);
const things: Classes = {
  ...classes,
  tech: new Set([
    ...technical,
    ...list(
      'service services connection connections worker workers program programs script scripts command commands code function branch build ' +
        'pipeline app application engine tab tabs window port pid instance instances terminal shell loop request requests transaction ' +
        'statement statements test tests contract contracts order orders plan will warrant trade trades strategy feature features deal bill ' +
        'proposal project rumor rumour lights light power switch motor vibe mood buzz joke appetite taste momentum competition weeds weed ' +
        'germs bacteria virus viruses mosquitoes ants bugs bug insects pests mold mould fungus parasites cells tumor infection odor smell ' +
        'dandelions moss slugs aphids wasps fleas lice bedbugs cockroaches termites rats mice zombie zombies orphan orphaned background',
    ),
  ]),
  camera: list(
    'film films movie movies video videos photo photos photograph photographs picture pictures portrait portraits scene scenes footage clip ' +
      'documentary commercial ad wedding episode pilot interview hoops baskets basket pool craps arrows email message text question glance look ' +
      'breeze hoop goal goals penalty free-throw free puck ball par birdie stars glances emails texts',
  ),
  pain: list(
    'head back feet foot knee knees legs leg shoulder neck stomach tooth teeth eyes throat arms hands shoes heels wrist hip',
  ),
  sport: list(
    'team teams rival rivals opponent opponents competition champions record quarter half game games match matches final inning season ' +
      'pitcher batter goalkeeper defence defense side visitors champion league score scores odds deadline traffic rush heat queue ' +
      'clock system market eggs egg drum drums level boss high-score estimates expectations',
  ),
  games: list(
    'ping pong mario kart chess fifa game games match tennis basketball darts bowling monopoly scrabble poker uno race trivia karaoke ' +
      'checkers football soccer badminton golf tetris halo smash tekken pool quiz cards minecraft sprint volleyball squash padel sudoku',
  ),
  food: list(
    'curry pizza burger steak coffee beer pint sandwich kebab cake chocolate biscuit biscuits taco tacos cuppa tea drink breakfast lunch ' +
      'dinner doughnut donut chips fries noodles wine snack bacon cookie ice plate bowl slice',
  ),
  body: list(
    'chicken turkey goose pig lamb beef pork fish salmon egg eggs cream batter garlic butter meat potatoes onions mixture dough leaves',
  ),
};

/** In these contexts a risky word is not meant literally. The matched words are hidden from rules and weights. */
const lines: readonly string[] = [
  'kill|kills|killed|killing|murder|murdered|terminate|abort|shoot|execute|executes|executed|executing|hang|hangs|destroy|destroys|destroyed|poison|choke|attack|crush|eradicate|exterminate|exterminates|burn *3 @tech',
  '@tech was|were|is|are|got|been|gets|be *1 killed|executed|terminated|destroyed|hanging|hung|aborted|shot',
  'kill|execute|run|fork|hang|signal *2 child|parent|zombie|orphan *1 @tech',
  '@tech hangs|hanging|crashed|died|dies|kills',
  'shoot|shoots|shot|shooting *3 @camera',
  'photo|film|movie|video|music|wedding|penalty|trouble|sharp shoot|shoots|shooting|shooter|shot|shots',
  'flu|covid|vaccine|tetanus|booster|espresso|long|big|best|money|head|mug|screen|snap|slap|drop|jump|foul|bank|hook|tequila|whisky|vodka|single|double|warning|parting|cheap|moon|call shot|shots',
  'shot|shots of|at|put|glass|glasses|clock|list *1 espresso|tequila|whisky|whiskey|vodka|rum|redemption|title|winning|promotion|job|vaccine|insulin|it',
  'give|take|have|worth *2 shot',
  'shoot|shoots|shooting|shot up|through|for|past|me|us *2 price|prices|sky|moon|stars|stock|stocks|charts|popularity|email|message|text|note|line|link|hoops',
  'my|her|his|our|these|this|the|your *1 @pain *2 killing|kills|killed|kill',
  'killing|kills|killed me|us|my|her|him *1 @pain|suspense|wait|heat|commute|boredom|traffic|allergies|diet|hangover',
  'suspense|wait|heat|commute|boredom|traffic|hay|allergies|humidity|silence|cost|rent|jet|deadline|hangover|homework|anticipation|stairs *4 killing|kills|killed|kill|murdering',
  'killed|kills|kill|killing|slay|slays|slayed|murdered|crushed|crushing|smashed|smashing|nailed|destroyed *3 it|presentation|interview|audition|exam|test|performance|gig|vocals|song|solo|stage|workout|show|set|dance|speech|look|outfit|record|records|goals|target|targets|sales|quarter',
  'kill|killing|kills|killed *1 time|hour|hours|afternoon|minutes|weekend|vibe|mood|buzz|off|switch',
  'dressed to kill',
  "could|would|i'd murder|kill|destroy *1 for? a|an|some|another|the *3 @food",
  "would|could|i'd kill|die|murder for *6",
  'kill two birds',
  'curiosity killed',
  'make|making|makes a|an|the|his|her|their killing',
  'lady|killer killer|app|bargain|feature|features|whale|whales|queen|heels|instinct|abs|recipe|outfit|view|playlist|workout|sudoku|rabbit|bees|bee|wit|smile|robots|tomatoes|tomato|soundtrack|riff|chorus|deal',
  'weed|pain|buzz|time|serial|giant|fun|mood|passion|stain killer|killers|killing|killjoy',
  'serial|silent killer|killers *3 documentary|podcast|book|film|show|series|novel|movie',
  'beat|beats|beating|beaten|hit|crush|crushed|smash|smashed|destroyed|destroy|killed|thrashed|slaughtered|murdered|massacred|hammered|attack|attacking|punish|punished|annihilated *3 @sport',
  'beat|beating|hit|punch|kick|smash|stab|whip|slice|cut|gut|skin|burn|butcher|poach|crush|break|choke *3 @body',
  'hit|hits|hitting the|a|my|our|rock|publish|send|snooze|pause|return|enter|save|refresh|delete *1 road|gym|sack|hay|books|beach|shops|brakes|jackpot|target|ground|nail|spot|deck|wall|bottom|button|key|ball|note|notes|post|bar|slopes|trail|pillow|town|roof|bullseye|home|homer|milestone|snag|limit',
  'skull crusher|crushers',
  'explain|explains|describe|describes|prevent|prevents|mitigate|understand|what *4 injection attack|attacks',
  'bath|sex-positive|glitter|photo|cherry|time|seed|logic|fork|stink|dive|f|box bomb|bombs|bombed|bombing|office',
  'bombed|bomb|bombs *2 exam|test|interview|audition|joke|quiz|set|final|midterm|movie|film|premiere',
  'the|da bomb .|!|,',
  'bomb|bombs disposal|cyclone|calorimeter|shelter|squad|detection|dog|dogs',
  'attack|attacks|attacked *3 problem|bug|essay|homework|chores|project|disease|crossword|slope|pile|inbox|buffet|backlog',
  'heart|panic|asthma|anxiety|shark|dictionary|timing|replay|ddos|phishing|brute|allergy|surprise attack|attacks',
  'blow|blows|blew|blown|blowing *2 mind|minds|nose|candles|away|out|deadline|budget|whistle|bubbles|kiss|kisses|fuse',
  'drop|dropped|drops|dropping dead *1 gorgeous|simple|date|easy|funny',
  'dead|drop|die|died|dying|scared|bored|sick|tickled|frightened|worked|starved laughing|laughter|line|lines|code|ends|end|tired|gorgeous|serious|simple|hard|cast|casting|zone|heat|sea|weight|lock|battery',
  'dying|die|died of|from *1 laughter|laughing|embarrassment|boredom|curiosity|thirst|hunger|shame|cringe|excitement',
  'dying to|for *1 know|see|try|hear|go|meet|read|watch|eat|visit|find|get|a|some',
  'stab|stabs at *2 it|guess|recipe|problem|puzzle|answer|dark',
  'take|took|taking|have|had a stab',
  'stabbing pain|pains|sensation',
  'cut|cuts|cutting *3 hair|grass|lawn|corners|cake|budget|costs|cost|taxes|edge|board|ribbon|bangs|fabric|paper|wood|bread|vegetables|onion|onions|line|scene|rates|rate|funding|spending|emissions|hedge|cord|power|sugar|carbs|calories|meetings|crap',
  'cutting edge|board|boards|room|costs|corners|class',
  'hang|hangs|hanging|hung *3 out|picture|pictures|curtains|lights|coat|coats|around|up|on|laundry|wreath|decorations|painting|plants|garden|gardens|tree|loose|clothes|washing|poster|shelf|tapestry',
  'burn|burns|burned|burning|burnt *3 calories|toast|fat|rubber|bridges|disc|cd|cds|dvd|dvds|candle|candles|wood|fuel|cash|out|midnight|energy|leaves|incense|image|iso|rice|cookies|dinner|tongue|mouth|fingers|pan|cake|gas|logs',
  'drown|drowning|drowned|drowns *1 in|out|sorrows *3 work|emails|email|paperwork|debt|noise|sauce|syrup|homework|laundry|sorrows|gravy|meetings|messages|music|chocolate|tickets',
  'choke|choked|chokes|choking *2 up|point|points|hazard|hold|chain|playoffs|final|finals|pressure|back|engine|weeds|tears',
  'head|capital|cell|web|wedding over|punishment|heels|banger|hunter|hunters|crasher|crashers',
  'guilty pleasure|pleasures',
  'breast cancer|cancers|milk|feeding|pump|stroke|exam|screening|surgery|tissue|pocket|lump|meat',
  'chicken|turkey|duck|double breast|breasts|breasted|thighs',
  'sex education|ed|chromosome|chromosomes|determination|discrimination|ratio|ratios|hormones|hormone|differences|assigned|at|of|linked|characteristics|pistols|city',
  'same|opposite|biological|fair|unisex|either sex',
  'safe|safer sex',
  'sexual health|orientation|education|harassment|assault|reproduction|selection|abuse|misconduct|violence|dimorphism|minority|minorities|consent|wellness|dysfunction',
  'moby|philip|dyke|van|spotted|cheney|deep|tom|tracy|andy|private dick|k',
  'dick van|cheney|tracy|whittington|francis|turpin|smith|clark|grayson|wolf',
  'pussy|cat|weather|peacock|hay|black|stop|shuttle|ball|rooster cat|cats|willow|willows|riot|vane|cock|cocks|watch',
  'cock|cocks a|and *2 bull|hen|hens|rooster|feathers|crowed|doodle|ear|eyebrow|head',
  'great|blue|coal|long|marsh|willow|tailed tit|tits',
  'tit for',
  'naked|bare eye|mole|truth|option|options|shorts|juice|flame',
  'adult education|learning|learners|literacy|swim|supervision|ticket|tickets|size|dose|diapers|child|children|supervised|life',
  'strip club|mall|steak|malls|paint|wallpaper|mining|whitespace|poker|light|lights|search|tags|comments|spaces|the|off|down|cartoon|comic|lighting',
  'anal fissure|fissures|retentive|glands|gland|canal|cancer|fistula|fin',
  'master|slave slave|cylinder|node|nodes|replica|database|drive|trade|bedroom|clock',
  'black|white|red friday|list|box|hole|holes|board|ice|belt|pepper|bean|beans|tie|market|magic|swan|coffee|tea|paper|papers|wine|balance|noise|house|hat|label|bread|rice|wash|christmas|water|tea|lies|lie',
  'race condition|conditions|track|car|cars|day|course|bike|time|against|horse|week',
  'master|whole|mass|mail|arts|screen|tile race|genocide',
  'toxic asset|assets|waste|chemicals|fumes|positivity|plants|shock',
  'crack|cracks|cracked|cracking *3 open|joke|jokes|code|case|egg|eggs|nut|smile|up|knuckles|safe|whip|windshield|screen|wall|walls|pepper|beer|spine|top|window|window|puzzle',
  'hack|hacks|hacking *2 hackathon|life|productivity|growth|together|day|news|kitchen|cleaning|storage|cough|saw|ikea|closet|travel|shelf',
  'life|growth|kitchen|travel|ikea|productivity|cleaning|white|ethical hack|hacks|hacker|hackers|hat|hacking',
  'steal|stole|stealing|steals *2 show|base|bases|heart|hearts|spotlight|glance|kiss|thunder|scene|second|home|idea|recipe|bargain|puck|ball|limelight|nap',
  'such|real|absolute|total|a steal',
  'smoking|water|glue|nail|staple|heat|spray|grease|radar|price|caulking|squirt|paintball|nerf|massage|top|jump|gunning gun|guns|for',
  'gun|guns|jumped|jump|jumping|sticking|stick *1 show|control|violence|dealership|safety|safe|laws|n|to|cabinet',
  'fire|fired|firing|pull|pulled *1 trigger|triggers|webhook|event|events|alarm|drill|employee|him|her|them|up|extinguisher|off',
  'trigger|triggers *2 pipeline|build|deployment|event|alarm|alert|workflow|allergy|allergies|point|finger|function|job',
  'explode|exploded|explodes|exploding *2 popularity|diagram|view|flavor|flavour|inbox|sales|kittens|array|string',
  'war|bloody|wound|die|slay *1 mary|dragon|dragons|cast|hard|up|crimes',
  'blood pressure|test|tests|donor|drive|type|sugar|orange|oranges|bank|moon|sample|samples|work|donation|thinner|thinners|vessels|vessel|cells|cell|clot|oath|sweat|line|lines|count|brothers|hound|sausage',
  'suicide squad|prevention|hotline|helpline|lifeline|watch|squeeze|awareness|rates|rate|statistics|burnout|doors|bid|mission|risk|doublet',
  'political|career|financial|professional|social|commercial|corporate suicide',
  'crazy|mad|insane about|deals|prices|busy|good|golf|hot|expensive',
  'fat|gross|dumb|stupid burning|loss|free|content|profit|margin|income|domestic|weight|bell|bells|phone|down|luck|mistake|mistakes|question|questions|waiter|idea|cat|dog|simple',
  'my|our|the *1 stupid|dumb|idiot|useless|damn|bloody|trash|garbage|crap|shitty|ugly *1 phone|printer|laptop|computer|car|internet|wifi|alarm|app|update|router|keyboard|mouse|homework|sweater|weather|collector|bag|bin|can|cans|collection|disposal|truck|compactor|heap|christmas|duckling|fruit|step|sisters',
  'garbage|trash collector|collection|collected|bag|bags|bin|bins|can|cans|disposal|truck|day|out|pickup|pandas|panda|heap|compaction',
  'take|takes|taking|took *2 trash|garbage',
  'bitch|female|mother *2 puppies|litter|pups|breed|breeder|vet|whelp|kennel',
  'son of a gun',
  'ass|asses|donkey *2 burro|donkey|mule|cart|foal|stable|wild',
  'pain in the|my|your neck|ass|butt|backside',
  'kick|kicked|kicking|kicks *2 habit|ball|bucket|off|goal|penalty|field|tires|can|back|starter|caffeine|flip|smoking|sugar|football|stand|boxing|asset',
  'punch|punches *1 line|lines|card|bowl|hole|holes|out|in|up|fruit|list|clock|above|ticket|numbers',
  'beat|beats|beating *1 around|about|the|up *1 bush|heart|drum|drums|rap|path|off|eggs|blues|winter|rush|cold|queue|train|heat|odds|system|clock|house',
  'eat|bite|knock|laugh|cry|work|run|freeze|sweat|talk *1 head|eyes|ass|butt|socks|heart|tail|ear|nails|bullet|off|dead|out',
  'drug|drugs store|stores|trial|trials|interactions|interaction|administration|test|tests|company|companies|prescribed|discovery|approval|allergy|resistance|development',
  'prescription|generic|otc|cancer|cholesterol|chemotherapy|antimalarial|anti drug|drugs',
  'weapon|weapons *1 choice|master|system|class|upgrade|loadout|skin|rack|secret',
  'secret weapon|weapons',
  'cloud|brain|thunder|sand|hail|ice|fire|snow|meteor|sun *1 bomb|bombing|storm|shower|ball|burst',
  'minor|minors key|scale|chord|chords|injuries|injury|issue|issues|league|leagues|bug|bugs|changes|change|update|fix|fixes|version|tweak|tweaks|delay|delays|detail|details|surgery|edits|improvements',
  'a|e|d|g|c|b|f minor *2 chord|chords|key|scale|arpeggio|symphony|sonata|concerto|pentatonic|riff',
  'in|key a|e|d|g|c|b|f minor .',
  'child|children|parent *1 process|processes|element|elements|component|components|node|nodes|class|classes|seat|lock|proof|table|row|window|thread|theme|directory|issue|pages|page',
  'die|dies|dice|pair *2 rolls|rolled|roll|casting|dice|cast|six|sided|number|numbers',
  'battery|phone|laptop|engine|plant|plants|signal|connection|line|car|flashlight|watch|flowers|goldfish|tree|houseplant|mic|wifi|router|remote *3 died|dies|dying|die|dead',
  'bleeding edge|heart|hearts|radiators|radiator|brakes|cash|money|memory',
  'execution time|plan|plans|environment|order|context|trace|speed|flow|model|risk|policy|path|error',
  'slave|slaves *1 to *1 fashion|routine|clock|rhythm|job',
  'drive|driving|drives|drove me|us|him|her|you *1 crazy|nuts|mad|insane|up',
  'kick|kicked|kicking|kicks *1 ass|butt|butts',
  'kick|kill|killed|destroy|destroyed|crush|crushed|beat|murder|smash|slaughter|annihilate|own *2 at|in|on *3 @games',
  'kill|murder|strangle *1 you|him|her|them if you|he|she|they *1 spoil|spoils|eat|eats|finish|forget|forgets|miss|wake',
  'drown|drowned|drowning|drowns *3 syrup|sauce|gravy|butter|emails|paperwork|homework|debt|chocolate',
  'hack|hacking|hacked|hacks my|our|your *1 sleep|schedule|brain|diet|habits|morning|routine|day|desk|mind|growth|memory|commute',
  'black lives matter',
  'bitch please',
  'attack|stabbing|killing|murder *1 of crows|dance|vector|surface|ship',
  'murder mystery|mysteries|hornet|hornets|ballad|inc|on|scene|board',
  'hate|hated|hates|despise *3 mondays|monday|mornings|morning|traffic|cilantro|coriander|broccoli|homework|when|waiting|how|spiders|flying|meetings|vegetables|mushrooms|weather|winter|rain|commute|cold|job|doing|spoilers|onions|to|running|olives|queues',
];

const index = indexOf(
  lines.map((line) => [line, true] as const),
  things,
);

/** The replacement of a neutralized word. */
export const neutralWord = '_';

/** Replaces risky words in idioms and technical terms. Returns the words. */
export function maskIdioms(words: readonly string[], work: Work): string[] {
  const out = [...words];
  for (const { from, to } of matches(words, index, work))
    for (let at = from; at < to; at++) if (riskyWords.has(words[at] ?? '')) out[at] = neutralWord;
  return out;
}
