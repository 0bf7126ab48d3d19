/** Which processing a request is given; `auto` leaves it to the server. */
export type ServiceTier = 'auto' | 'default' | 'flex' | 'priority';
