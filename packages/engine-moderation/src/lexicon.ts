/** Sets of words by name. */
export type Classes = Readonly<Record<string, ReadonlySet<string>>>;

const list = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(/\s+/));

/** The forms of regular verbs. Irregular ones are listed. */
const verbs = (...stems: readonly string[]): string[] =>
  stems.flatMap((stem) =>
    stem.endsWith('e')
      ? [stem, `${stem}s`, `${stem}d`, `${stem.slice(0, -1)}ing`]
      : [stem, `${stem}s`, `${stem}ed`, `${stem}ing`],
  );

const kill = [
  ...verbs('kill', 'murder', 'slaughter', 'strangle', 'choke', 'behead', 'lynch', 'execute', 'assassinate', 'massacre'),
  ...verbs(
    'exterminate',
    'eradicate',
    'annihilate',
    'poison',
    'drown',
    'butcher',
    'torture',
    'decapitate',
    'disembowel',
  ),
  ...[
    'shoot',
    'shoots',
    'shot',
    'shooting',
    'stab',
    'stabs',
    'stabbed',
    'stabbing',
    'gut',
    'gutted',
    'hang',
    'hanged',
    'burn',
  ],
];
const hurt = [
  ...verbs(
    'hurt',
    'punch',
    'smash',
    'attack',
    'crush',
    'maim',
    'kick',
    'assault',
    'ambush',
    'harm',
    'injure',
    'destroy',
  ),
  ...[
    'beat',
    'beating',
    'beats',
    'beaten',
    'hit',
    'hitting',
    'slap',
    'slapped',
    'slapping',
    'rape',
    'raped',
    'raping',
    'slit',
    'break',
  ],
];
const groups = list(
  'jews jewish jew muslims muslim islam christians blacks whites asians chinese mexicans mexican latinos hispanics arabs africans',
  'immigrants immigrant migrants refugees foreigners gays gay lesbians lesbian homosexuals trans transgender queers women woman females',
  'girls disabled cripples indians pakistanis gypsies roma atheists hindus catholics minorities race races feminists',
  'koreans japanese nigerians somalis turks poles romanians natives aboriginals bisexuals autistic',
);
const person = list(
  'him her them someone somebody people person neighbor neighbour boss coworker colleague teacher classmate classmates',
  'wife husband girlfriend boyfriend ex roommate mother father mom dad parents brother sister family kids children child man woman',
  'men women crowd students cop cops police politician president everyone everybody anyone guy guys girl boy victim victims stranger',
);

/** Word classes for the patterns. The lists are short: the weights cover the rest. */
export const classes: Classes = {
  kill: new Set(kill),
  hurt: new Set(hurt),
  harm: new Set([...kill, ...hurt]),
  you: list('you your yourself yours'),
  group: groups,
  person,
  /** Persons, without words that are also possessive. */
  others: new Set([...person].filter((word) => !['him', 'her', 'them'].includes(word))),
  target: new Set([...person, ...groups, 'you', 'it', 'these', 'those', 'this', 'that', 'all', 'every', 'another']),
  will: list(
    "i'll we'll will gonna going plan planning want wanna need intend about coming should must shall ready let's ought",
  ),
  not: list(
    "not never don't doesn't didn't can't won't wouldn't couldn't shouldn't isn't aren't wasn't without nobody no cannot stop",
  ),
  insult: list(
    'idiot idiots moron morons loser losers stupid dumb ugly pathetic worthless disgusting retard retarded scum trash garbage pig fatty',
    'coward failure freak creep clown imbecile dumbass jackass asshole assholes bastard bitch bitches cunt cunts whore slut dick dickhead',
    'prick douche douchebag wanker twat fuckface shithead shitbag dipshit fuckwit motherfucker motherfuckers cocksucker pussy useless hideous',
    'parasite vermin filth lowlife degenerate jerk psycho fool brainless spineless',
  ),
  curse: list('fuck fucking fucked fuckin fucks shit bullshit damn goddamn bloody ass crap screw'),
  dehumanise: list(
    'vermin rats cockroaches roaches animals subhuman subhumans parasites scum filth disease plague cancer savages apes monkeys trash',
    'garbage infestation inferior degenerates dirty disgusting evil criminals rapists terrorists pests',
  ),
  weapon: list(
    'bomb bombs explosive explosives grenade grenades silencer suppressor molotov napalm thermite landmine',
    'sarin ricin anthrax vx dynamite detonator ied ieds bioweapon pathogen firearm firearms gun guns rifle rifles ammunition cyanide',
    'botulinum uranium pipebomb weapon weapons missile chlorine',
  ),
  explosive: list(
    'bomb bombs explosive explosives grenade molotov napalm thermite landmine sarin ricin anthrax vx detonator ied ieds bioweapon',
    'pipebomb silencer dynamite botulinum bombings',
  ),
  drug: list(
    'meth methamphetamine heroin cocaine crack lsd mdma fentanyl ecstasy ghb ketamine dmt crystal opium steroids amphetamine',
    'rohypnol pcp drugs',
  ),
  crime: list(
    'shoplift steal stealing hack hacking hacked phish phishing malware ransomware keylogger launder laundering counterfeit counterfeiting',
    'forge forging forgery smuggle smuggling traffic trafficking kidnap kidnapping blackmail extort scam scams defraud fraud embezzle bribe',
    'bribing stalk stalking dox doxx doxxing hotwire burglarize burglary rob robbing robbery arson pickpocket bypass crack cracking',
    'evade evading skim skimming ddos botnet spyware pirate fake spoof impersonate trojan exploit shoplifting ponzi stolen',
  ),
  loot: list(
    'id ids passport passports money bill bills currency card cards identity identities prescription prescriptions license licenses',
    'account accounts password passwords wifi network bank atm atms car cars store stores house houses database databases documents',
    'taxes tax cheque checks check charity charities elderly lock alarm security system systems website data someone victims',
  ),
  selfharm: list(
    'suicide suicidal selfharm overdose overdosing noose cutting anorexia anorexic bulimia bulimic pro-ana proana thinspo purge',
    'purging kms starve starving unalive hanging',
  ),
  sexual: list(
    'sex sexual sexually porn porno pornography pornographic xxx nude nudes naked erotic erotica horny orgasm orgasms cum cumming cumshot',
    'blowjob blowjobs handjob masturbate masturbating masturbation penis dick cock cocks pussy vagina clit tits titties boobs',
    'nipple nipples anal fucking fucked threesome gangbang hentai milf deepthroat dildo vibrator bdsm fetish kinky moaning moaned thrusting',
    'thrust seduce seduced seducing undress undressed lust lustful aroused arousing arousal intercourse sexting nsfw slutty escort',
    'escorts stripper bondage creampie fondle fondled fondling groping panties lingerie foreplay climax incest',
  ),
  explicit: list(
    'porn porno pornographic xxx nudes erotica horny orgasm orgasms cum cumming cumshot blowjob blowjobs handjob masturbate masturbating',
    'cock pussy clit tits titties gangbang threesome hentai deepthroat dildo creampie slutty bdsm sexting fondle fondled fondling',
    'thrusting penis vagina nipples molest molested molesting rape raped aroused',
  ),
  minor: list(
    'child children kid kids minor minors underage preteen preteens toddler toddlers schoolgirl schoolgirls schoolboy loli lolita shota',
    'teen teens teenage teenager teenagers boy girl daughter son stepdaughter niece nephew youngster youngsters baby infant pupil pupils',
  ),
  surely_minor: list(
    'underage preteen preteens toddler toddlers schoolgirl schoolgirls schoolboy loli lolita shota minor minors child children kid kids',
  ),
  gore: list(
    'blood bloody gore gory guts intestines entrails brains skull severed decapitated dismembered dismember mutilated mutilate corpse',
    'corpses flesh bone bones organs eyeballs splattered gushing gushed sliced slicing ripped disemboweled flayed throat bleeding torn',
    'wounds limbs gurgling spurting spurted screaming impaled',
  ),
  how: list('how'),
  teach: list(
    'instructions instruct guide tutorial steps recipe recipes explain teach tell show give describe outline provide write',
    'create make develop draft devise list ways way method methods tips advice best easiest need ingredients help plan blueprint design',
  ),
  fiction: list(
    'novel story stories chapter character characters movie film plot game games scene episode song lyrics album book fiction fictional',
    'screenplay manuscript thriller villain protagonist author writer novelist playwright theatre theater actor actress dungeon boss level',
    'tv series documentary horror comic manga anime poem play opera',
  ),
  care: list(
    'patient patients clinician clinicians therapist therapists therapy counselor counsellor counseling counselling nurse psychiatrist',
    'psychologist assess assessment screening hotline helpline lifeline prevention prevent preventing support study research researchers',
    'survey crisis symptoms awareness recovering recovery survivor survivors treatment bereavement memorial charity statistics',
    'educators training warning survived recovered clean sober healed volunteer volunteers volunteered',
  ),
  report: list(
    'police court convicted sentenced trial reported reporter according historian historians century battle war wars army troops museum',
    'memorial investigation investigators detectives jury prosecutors arrested article newspaper news documentary history survivors witnesses',
    'authorities officials soldiers killed museum anniversary',
  ),
  said: list(
    'said says told called calling wrote tweeted shouted yelled posted message comment heard quote quoted word words phrase saying',
  ),
  condemn: list(
    'unacceptable hateful offensive racist racism sexist wrong bigoted bigotry reported report banned harassment harassing slur',
    'condemn condemned criticised criticized denounced rebuked disgusting cruel hurtful discrimination prejudice antisemitic homophobic insulting bullying suspended moderators',
  ),
  defend: list(
    'prevent preventing detect detecting avoid avoiding protect protecting against recognise recognize recognizing identify identifying',
    'defend defending stop stopping fight combat report reporting treat treating survive spot spotting mitigate block blocking secure safely',
    'dispose remove removing why',
  ),
};

const riskyClasses = [
  'harm',
  'insult',
  'curse',
  'weapon',
  'drug',
  'crime',
  'selfharm',
  'sexual',
  'minor',
  'gore',
  'dehumanise',
  'group',
] as const;
const extra = list(
  'hate hated hates despise kms die dies died dying dead death blow blew shot shots bombed bombing killer killers hack hacks hacker murder ' +
    'murders breast breasts strip fire fired firing trigger explode exploded exploding suicide execution steal stole steals slave slaves gun ' +
    'guns weapon weapons drug drugs toxic crazy mad insane fat gross adult attack attacks bleeding wound sexual sex drop choke stab race black ' +
    'white naked pissed thighs cum tit tits cracks cracked hacking kick kicked kicking beat beats slay bomb bombs garbage trash crack',
);
/** Words that idioms can neutralize, and that disguises are checked for. */
export const riskyWords: ReadonlySet<string> = new Set([
  ...riskyClasses.flatMap((name) => [...(classes[name] ?? [])]),
  ...extra,
]);
