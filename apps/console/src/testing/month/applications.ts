import type { Random } from './random.ts';

/** What a user asks, and what the model replies. */
export interface Exchange {
  readonly prompt: string;
  readonly reply: string;
  /** The call that the model makes before it replies. */
  readonly call?: { readonly arguments: string; readonly result: string } | undefined;
}

/** A program that uses the server with a model and with keys of its project. */
export interface Application {
  readonly project: string;
  readonly keys: readonly [string, ...string[]];
  readonly model: string;
  /** Its part of all requests. */
  readonly share: number;
  readonly system: string;
  readonly tool?: { readonly name: string; readonly description: string; readonly argument: string } | undefined;
  /** Metadata of its completions, which are stored. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  exchange(random: Random): Exchange;
}

const products = ['grinder', 'kettle', 'pour-over set', 'espresso machine', 'travel mug', 'scale'] as const;
const languages = ['German', 'French', 'Spanish', 'Polish', 'Dutch'] as const;
const cities = ['Lisbon', 'Hamburg', 'Lyon', 'Kraków', 'Utrecht', 'Turin'] as const;

/** The applications of a shop for coffee equipment. */
export const applications: readonly [Application, ...Application[]] = [
  {
    project: 'Shop',
    keys: ['support', 'support', 'support', 'staging'],
    model: 'qwen3-32b',
    share: 46,
    system: 'You are the support assistant of a shop for coffee equipment. Answer briefly and in a friendly tone.',
    tool: { name: 'look_up_order', description: 'Returns the state of an order.', argument: 'order' },
    metadata: { team: 'support', release: '2026.11' },
    exchange(random) {
      const order = `A-${random.integer(20_000, 89_999)}`;
      const product = random.pick(products);
      const city = random.pick(cities);
      const day = random.pick(['Monday', 'Tuesday', 'Thursday', 'Friday']);
      return random.pick<Exchange>([
        {
          prompt: `Where is my order ${order}?`,
          reply: `Your order ${order} has left our warehouse and is on its way to ${city}. It should arrive on ${day}.`,
          call: { arguments: JSON.stringify({ order }), result: JSON.stringify({ order, state: 'shipped', to: city }) },
        },
        {
          prompt: `I want to send order ${order} to ${city} instead. Is that still possible?`,
          reply: `Yes: order ${order} is still being packed. I have noted ${city} as the new address.`,
          call: { arguments: JSON.stringify({ order }), result: JSON.stringify({ order, state: 'packing' }) },
        },
        {
          prompt: `The ${product} arrived with a dent. What can I do?`,
          reply: `I am sorry about that. Please send us a photo of the ${product} within 14 days; we will replace it free of charge, and you do not have to send the damaged one back.`,
        },
        {
          prompt: `How do I descale the ${product}?`,
          reply: `Fill it with one part of citric acid to twenty parts of water, let it stand for twenty minutes, and rinse it twice. We recommend doing this once a month; in ${city}, where the water is hard, every two weeks.`,
        },
        {
          prompt: `Does the ${product} come with a plug for ${city}?`,
          reply: `Yes. Every ${product} that we send to ${city} has the plug of the country, and a second cable can be ordered for 6 euros.`,
        },
        {
          prompt: `Can I return the ${product} that I bought on ${day}?`,
          reply: `Of course. You can return the ${product} within 30 days. I have sent the label to your email address; hand in the parcel at any post office in ${city}.`,
        },
      ]);
    },
  },
  {
    project: 'Search',
    keys: ['ranking'],
    model: 'mistral-small',
    share: 34,
    system: 'Rewrite the query of a shopper as search terms, most important first, separated by commas.',
    exchange(random) {
      const product = random.pick(products);
      const price = random.integer(3, 40) * 10;
      return random.pick<Exchange>([
        { prompt: `quiet ${product} under ${price} euros`, reply: `${product}, quiet, price up to ${price}` },
        { prompt: `${product} gift for my dad, max ${price}`, reply: `${product}, gift, price up to ${price}` },
        { prompt: `which ${product} is easiest to clean`, reply: `${product}, easy to clean, dishwasher-safe` },
        { prompt: `${product} like in a ${random.pick(cities)} café`, reply: `${product}, professional, steel` },
      ]);
    },
  },
  {
    project: 'Shop',
    keys: ['catalogue'],
    model: 'mistral-small',
    share: 12,
    system: 'Translate product texts. Keep units and names.',
    metadata: { team: 'catalogue' },
    exchange(random) {
      const product = random.pick(products);
      const language = random.pick(languages);
      const weight = random.integer(3, 29) / 10;
      return {
        prompt: `Translate into ${language}: The ${product} weighs ${weight} kg and is made of recycled steel.`,
        reply: {
          German: `Das Produkt (${product}) wiegt ${weight} kg und besteht aus recyceltem Stahl.`,
          French: `Le produit (${product}) pèse ${weight} kg et est en acier recyclé.`,
          Spanish: `El producto (${product}) pesa ${weight} kg y es de acero reciclado.`,
          Polish: `Produkt (${product}) waży ${weight} kg i jest wykonany ze stali z recyklingu.`,
          Dutch: `Het product (${product}) weegt ${weight} kg en is gemaakt van gerecycled staal.`,
        }[language],
      };
    },
  },
  {
    project: 'Reports',
    keys: ['notebook'],
    model: 'gpt-oss-120b',
    share: 8,
    system: 'You write SQL for PostgreSQL. The tables are customers, orders and order_items.',
    metadata: { team: 'data' },
    exchange(random) {
      const city = random.pick(cities);
      const month = random.integer(1, 11);
      return random.pick<Exchange>([
        {
          prompt: `Which customers in ${city} have not ordered since month ${month} of 2026?`,
          reply: `\`\`\`sql\nSELECT c.id, c.name\nFROM customers c\nWHERE c.city = '${city}'\n  AND NOT EXISTS (\n    SELECT 1 FROM orders o\n    WHERE o.customer_id = c.id AND o.created_at >= make_date(2026, ${month}, 1)\n  );\n\`\`\`\n\nThe subquery stops at the first order, so that an index on \`orders (customer_id, created_at)\` is enough.`,
        },
        {
          prompt: `Revenue by product for ${city}, months 1 to ${month}`,
          reply: `\`\`\`sql\nSELECT i.product, sum(i.quantity * i.price) AS revenue\nFROM order_items i\nJOIN orders o ON o.id = i.order_id\nJOIN customers c ON c.id = o.customer_id\nWHERE c.city = '${city}' AND extract(month FROM o.created_at) BETWEEN 1 AND ${month}\nGROUP BY i.product\nORDER BY revenue DESC;\n\`\`\``,
        },
      ]);
    },
  },
];
