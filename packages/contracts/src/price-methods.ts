// Apart from the schemas in `option-groups.ts`, so that the apps can use it without the validation library.

/** How the prices of a group's chosen options become one amount: all of them, their average, or the dearest. */
export const priceMethods = ['sum', 'average', 'max'] as const;
