/** How one kind of SQL database writes the definitions of the tables. */
export interface SchemaDialect {
  /** Type of a primary key that the database assigns in the order of insertion. */
  readonly sequence: string;
  /** Type of an integer of 64 bits. */
  readonly integer: string;
  /** Type of a floating-point number of 64 bits. */
  readonly real: string;
  /** Type of IDs and other text that is compared, byte by byte. */
  readonly keyText: string;
  /** Follows the columns of a table with a key that the database assigns. */
  readonly heapTable?: string;
  /** Follows the columns of a table that is best stored in the order of its primary key. */
  readonly clusteredTable?: string;
}
