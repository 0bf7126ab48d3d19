// Zod as this package was published with it, in one file: other packages that the server loads import it from here in their published form.
export * from 'zod';
