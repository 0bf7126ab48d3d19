import { instructionRequest, instructionWords, rule, type RuleLine } from './rule.ts';

export const crimeRules: readonly RuleLine[] = [
  // Crime.
  ...rule(
    'illicit',
    6,
    instructionRequest,
    `${instructionWords}|create|make|develop|design|build|provide|outline|draft *6 @crime *4 @loot`,
    `${instructionWords}|create|develop|design|provide|outline *6 @crime *1 .|?|!|someone|people|without`,
    `${instructionWords}|where|make|cook|produce|synthesize|synthesise|grow|buy|sell|smuggle *5 meth|methamphetamine|heroin|cocaine|crack|lsd|mdma|fentanyl|ecstasy|ghb|dmt|rohypnol|amphetamine`,
    'make|making|write|create|develop|build|spread *3 malware|ransomware|virus|keylogger|trojan|botnet|spyware|phishing|worm|deepfake',
    'buy|sell|get|obtain *3 illegal|stolen|counterfeit|fake|unregistered|black *3 @loot|@drug|@weapon|market',
    'cheat|lie *4 taxes|lie|polygraph',
    `${instructionWords} *6 get away *1 with`,
    `${instructionWords} *8 without *2 getting? caught|detected|detection|traced|noticed|permission|knowing`,
    'drug someone|her|him|drink',
    `${instructionWords} *5 steal|shoplift|hotwire|launder|counterfeit|forge|embezzle|smuggle|hack|phish|blackmail|extort|bribe|defraud|kidnap|pickpocket|burgle|rob|scam|stalk|doxx|dox`,
  ),
  ...rule(
    'illicit',
    2,
    instructionRequest,
    'illegal|illegally|illicit|unlawful|fraudulent|fraudulently|counterfeit|insider *2',
    '@crime *3 @loot',
  ),
  ...rule(
    'illicit/violent',
    6,
    instructionRequest,
    `${instructionWords}|make|build|create|construct|assemble|develop|design|cook|provide|outline *6 @explosive`,
    `${instructionWords} *6 make|build|get|buy|print|modify|convert|smuggle|acquire|obtain|create|manufacture *4 gun|guns|firearm|firearms|weapon|weapons|rifle|cyanide|poison|silencer|ammunition|chlorine|gas`,
    `${instructionWords} *6 kill|murder|poison|kidnap|torture|assassinate|strangle|stab|behead|assault|rape|attack|ambush|hurt *3 @person|@group|@you|him|my|neighbor|politician|people|an|a`,
    `${instructionWords} *6 dispose *3 body|corpse`,
    'hire *2 hitman|assassin|killer',
    'plan|planning|carry|carrying|commit|committing|organize *3 attack|massacre|shooting|bombing|genocide|murder|terrorist|assassination|kidnapping',
    `${instructionWords} *6 terrorist|bomb|bombing|massacre|shooting|assassination`,
    `${instructionWords}|where|want|wanna|let's *4 join|recruit|fund|support *3 terrorist|isis|extremist|cartel|militia`,
  ),
];
