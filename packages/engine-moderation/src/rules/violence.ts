import { threat, firstPerson, rule, type RuleLine } from './rule.ts';

export const violenceRules: readonly RuleLine[] = [
  // Announced, wished or praised violence.
  ...rule(
    'violence',
    5,
    threat,
    `${firstPerson} *1 will|'ll|going|gonna|want|have|need|plan|planning|coming|love *3 @harm *2 @target|@group`,
  ),
  ...rule('violence', 5, threat, "i'll|we'll *2 @harm *2 @target|@group|your"),
  ...rule('violence', 5, threat, '@will *2 @kill|@hurt *1 you|him|her|them|everyone|everybody|all|those|these|@group'),
  ...rule(
    'violence',
    5,
    threat,
    '@will *1 shoot|blow|burn *1 up|down *2 school|church|mosque|synagogue|building|house|place|office|station|mall',
  ),
  ...rule(
    'violence',
    5,
    threat,
    'shoot|blow|burn up|down *2 school|church|mosque|synagogue|workplace|office|station|mall|house',
  ),
  ...rule(
    'violence',
    4,
    threat,
    'deserve|deserves|ought|needs|need|should|must *5 die|killed|shot|hanged|beaten|exterminated|executed|lynched|raped|eradicated|burned|stoned',
  ),
  ...rule('violence', 4, threat, 'hope *2 die|dies|killed|suffer|suffers|burn|burns|rot'),
  ...rule(
    'violence',
    4,
    threat,
    'kill|murder|slaughter|exterminate|hang|shoot|lynch|behead|gas|burn all|every|each|the|these|those|them *2 @group|them|scum|traitors|infidels|pigs|vermin',
  ),
  ...rule('violence', 4, threat, 'death to'),
  ...rule(
    'violence',
    3,
    threat,
    '@harm *1 @others|@group|you',
    '@harm him|her|them|everyone .|!|?|,|and|with|until|slowly|to',
  ),
  ...rule(
    'violence',
    3,
    threat,
    'slit|cut|slash|rip|tear|break|smash|snap *1 your|his|her|their *1 throat|neck|head|face|skull|bones|legs|heart|head|throats|teeth|jaw',
  ),
  ...rule(
    'violence',
    2,
    threat,
    'massacre|genocide|slaughter|bloodbath|shooting|bombing|beheading|torture|terrorist|terrorists|killing|murder|stabbing',
  ),
  ...rule(
    'violence/graphic',
    5,
    ['not'],
    '@gore *4 @gore',
    '@gore *3 skull|brains|intestines|entrails|guts|flesh|throat',
  ),
  ...rule(
    'violence/graphic',
    3,
    ['not'],
    'severed|decapitated|dismembered|mutilated|disemboweled|entrails|intestines|gore|gory|splattered|flayed',
  ),
  ...rule('violence', 3, ['not'], '@gore *4 @gore'),

  // Threats to the addressee, or about others.
  ...rule(
    'harassment/threatening',
    6,
    threat,
    `${firstPerson} *1 will|going|gonna|want|coming *3 @harm *1 you|your`,
    "i'll|we'll *2 @harm *1 you|your",
  ),
  ...rule(
    'harassment/threatening',
    5,
    threat,
    '@will *2 @kill|@hurt *1 you|your',
    '@will *1 make *1 you *2 suffer|pay|regret|bleed|sorry|scream',
  ),
  ...rule(
    'harassment/threatening',
    5,
    threat,
    'know|found|find *2 where *1 you|your *2 live|sleep|family|kids|work|house',
    'watch your back',
    "you're|you are *2 dead *1 .|!|meat|man|bitch",
  ),
  ...rule(
    'harassment/threatening',
    6,
    threat,
    'hope *1 you|your *3 die|dies|killed|raped|suffer|rot|burn|hit|cancer',
    'you|your *2 deserve|should|need|must|better *2 die|killed|raped|shot|beaten|hanged|hurt|suffer',
    'you will|gonna *2 die|pay|suffer|regret|bleed',
    "you'll *2 die|suffer|regret|bleed",
    '@harm your *2 family|kids|children|mother|face|head|throat',
  ),
  ...rule(
    'harassment/threatening',
    4,
    threat,
    `${firstPerson} *1 will|going|gonna|want|coming|plan *3 @harm *2 @person`,
  ),
];
