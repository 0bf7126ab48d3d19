import { core, more } from './conversation.ts';
import type { Replier, Reply } from './conversation.ts';

interface Language {
  readonly pattern: RegExp;
  readonly hello: readonly [string, string];
  readonly self: string;
  readonly sorry: string;
  readonly yes: string;
}

/** The few sentences that the simulator has in other languages. */
const languages: readonly Language[] = [
  {
    pattern: /\bfrench\b|\bfrançais\b/i,
    hello: ['Bonjour !', ' Que puis-je faire pour vous ?'],
    self: 'Je suis le simulateur de Modelwire, pas un vrai modèle de langage.',
    sorry: 'Je ne suis qu’un simulateur, et je connais seulement quelques phrases en français.',
    yes: 'Oui',
  },
  {
    pattern: /\bgerman\b|\bdeutsch\b/i,
    hello: ['Guten Tag!', ' Was kann ich für Sie tun?'],
    self: 'Ich bin der Simulator von Modelwire, kein echtes Sprachmodell.',
    sorry: 'Ich bin nur ein Simulator und kenne bloß ein paar Sätze auf Deutsch.',
    yes: 'Ja',
  },
  {
    pattern: /\bspanish\b|\bespañol\b/i,
    hello: ['¡Hola!', ' ¿En qué puedo ayudarle?'],
    self: 'Soy el simulador de Modelwire, no un modelo de lenguaje de verdad.',
    sorry: 'Solo soy un simulador y conozco apenas unas frases en español.',
    yes: 'Sí',
  },
  {
    pattern: /\bitalian\b|\bitaliano\b/i,
    hello: ['Buongiorno!', ' Che cosa posso fare per lei?'],
    self: 'Sono il simulatore di Modelwire, non un vero modello linguistico.',
    sorry: 'Sono solo un simulatore e conosco soltanto qualche frase in italiano.',
    yes: 'Sì',
  },
];

/** Where an instruction or the prompt itself asks for another language, the few sentences there are; sums stay as they are. */
export function inLanguage(kind: 'greeting' | 'identity' | 'other', wish: string): Reply | undefined {
  if (!/\b(?:in|speak|use|reply|answer|respond)\b/i.test(wish)) return undefined;
  const language = languages.find(({ pattern }) => pattern.test(wish));
  if (language === undefined) return undefined;
  const { hello, self, sorry } = language;
  if (kind === 'greeting') return { lines: [core(hello[0]), core(hello[1])], word: hello[0] };
  if (kind === 'identity') return { lines: [core(self), more(` ${sorry}`)], word: 'Simulator.' };
  return { lines: [core(sorry)], word: language.yes };
}

/** Translation is declined: there is nothing in the simulator that could do it. */
export const translation: Replier = ({ head }) => {
  if (
    !/\btranslat(?:e|ion)\b|\bhow do you say\b|\bwhat(?:'s| is) .{1,60} in (?:french|german|spanish|italian|japanese|chinese|english)\b/i.test(
      head,
    )
  )
    return undefined;
  const into = /\b(?:to|into|in) (\p{Lu}\p{L}{2,20})/u.exec(head)?.[1];
  return {
    lines: [
      core(
        `I cannot translate${into === undefined ? '' : ` into ${into}`}: I am a simulator, and I would only be making it up.`,
        `Translating${into === undefined ? '' : ` into ${into}`} is beyond me, because I am only a simulator.`,
      ),
      more(
        ' Put a real engine behind this server, and the same request will bring a translation.',
        ' A real model behind the same interface will do it.',
      ),
    ],
    word: 'No.',
  };
};
