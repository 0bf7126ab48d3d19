import { noMitigation, rule, type RuleLine } from './rule.ts';

export const sexualRules: readonly RuleLine[] = [
  // Sex.
  ...rule('sexual', 2, noMitigation, '@explicit'),
  ...rule(
    'sexual',
    1.5,
    noMitigation,
    '@sexual *6 @sexual',
    'have|having|had *2 sex',
    'make|making|made love',
    'sexual|sexually|erotic|steamy|lustful *2 story|stories|fantasy|roleplay|role|scene|act|acts|encounter|position|content',
    'lips|tongue|mouth|hand|hands|fingers *5 breast|breasts|thigh|thighs|nipple|nipples|crotch|cock|pussy|naked|ass',
    'suck|sucking|lick|licking|ride|riding|fuck|fucking|spank|spanking *3 dick|cock|pussy|tits|ass|breasts|clit|me|her|him|hard|you',
    'explicit|nude|naked|sexy *2 photos|pictures|pics|images|video|videos|story|scene|content|selfies',
  ),
  ...rule(
    'sexual',
    2.5,
    noMitigation,
    '@explicit *6 @explicit',
    'fuck|fucking|fucked|ride|bang|pound|suck *1 me|her|him *1 harder|hard|deep|now|raw|off|so',
    'erotic|explicit|smut|pornographic *3 story|scene|fiction|fanfic|novel|roleplay|content|writing',
    'take off *2 clothes|shirt|dress|bra|panties|pants',
    'send|show|share *3 nudes|tits|boobs|dick|pussy',
  ),
  ...rule(
    'sexual/minors',
    6,
    ['defence', 'care', 'report'],
    '@explicit|sex|sexual|sexually|nude|naked|erotic|fuck|fucking|porn|seduce|horny *5 @surely_minor',
    '@surely_minor *5 @explicit|sex|sexual|sexually|nude|naked|erotic|fuck|fucking|porn|seduce|horny',
    'child|teen|kiddie|underage porn|pornography|erotica|nudes|sex',
    'cp|csam',
    'sex|fuck|fucking|seduce|nude|naked|molest|rape|horny *4 teen|teenage|teenager|stepdaughter|daughter|niece|schoolgirl|girl|boy *4 old|year|young',
    '13|14|15|16|17|12|11|10|9|thirteen|fourteen|fifteen|sixteen|seventeen|twelve *3 year|years|yr|yo old? *8 sex|sexual|naked|fuck|fucking|nude|horny|pussy|cock|breasts|tits|moaned|orgasm|seduce|kissed|virgin|panties',
    'groom|grooming|lure|luring *3 @minor',
    'attracted *2 @surely_minor',
    '@sexual *4 my *1 daughter|son|niece|stepdaughter|pupil',
  ),
];
