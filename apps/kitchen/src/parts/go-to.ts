/** Opens a page of this app: `goTo('#/manager/menu')`. */
export const goTo = (page: string): void => {
  location.hash = page;
};
