/**
 * The numbers used in business rules. Services and API descriptions import them from here, so that they cannot differ. Each name
 * ends with its unit.
 */

/** The default currency, for the menu and for accounts [ISO 4217]. */
export const defaultCurrency = 'BRL';

/** The languages in which a restaurant can write its menu. The apps are available in the same languages. */
export const languages = ['en', 'pt-BR'] as const;
export type Language = (typeof languages)[number];
/** The menu's language until a manager sets another one. */
export const defaultLanguage: Language = 'pt-BR';

/**
 * Functions that a manager can stop for all users, in addition to ordering. `transfers`: everything that moves money between
 * accounts, including bill payments from an account, refunds and deposits. `sign_ups`: customers' registrations.
 */
export const stopNames = ['transfers', 'sign_ups'] as const;

/** The highest quantity of a dish in one line of an order. */
export const maxQuantity = 99;
/** The highest number of guests that staff can enter on a bill. */
export const maxCovers = 200;
/** The maximum number of items in a seating that may be open, which means neither delivered nor cancelled. */
export const maxOpenItemsPerSeating = 100;
/** The maximum number of new calls in a seating per minute. */
export const maxCallsPerMinute = 6;
/** How long after its delivery an order may go back to `ready`. */
export const undoDeliveryMinutes = 15;
/** How long staff may refund a payment that they recorded themselves. After that, only a manager may. */
export const ownRefundMinutes = 5;

/** How long a payment by Pix stays reserved. */
export const pixReservationMinutes = 10;
/** How much longer a payment must be reserved for a Pix code to be created. */
export const pixCodeMinutes = 2;
/** How many Pix codes one user can ask for per minute. */
export const maxPixChargesPerMinute = 10;

/**
 * How a kitchen station works until a manager changes it: `bumps` is the number of taps that finish a ticket, unless a screen's
 * shift chooses three. A ticket turns amber and then late after these numbers of minutes.
 */
export const defaultStation = { bumps: 2, amber_minutes: 5, late_minutes: 8 } as const;

/** The longest pause of ordering that a waiter can set. Managers have no limit. */
export const waiterPauseMinutes = 15;

/** The contrast that the restaurant's accent colour needs, because the apps write in white on it [WCAG 2.2, 1.4.3]. */
export const accentContrast = { with: '#ffffff', atLeast: 4.5 } as const;
/** The maximum number of categories with limits of their own. */
export const maxCategoryLimits = 100;

/** How often a kitchen screen reports that it is switched on. */
export const screenReportSeconds = 60;
/**
 * How many screens are stored per user. Restaurants have fewer screens than this, so even if all are signed in with one account,
 * all are stored.
 */
export const maxScreensOfUser = 50;

/**
 * Limits for option groups: how many a restaurant, a dish and an option may have, how many options a group and an order may have,
 * how many units a choice may have, how many groups a chain, and how large a request for a group may be.
 */
export const optionLimits = {
  maxGroups: 200,
  maxGroupsOfDish: 10,
  maxGroupsOfOption: 3,
  maxOptions: 50,
  maxOptionsOfOrder: 200,
  /** All items of an order together. Each plate of a combo has its own options, so they can be many more than were asked for. */
  maxOptionsOfItems: 2000,
  maxUnits: 20,
  maxDepth: 3,
  /** Enough for 50 options with the longest texts. */
  maxKilobytes: 64,
} as const;
/** The maximum number of items in an order, including cancelled ones. The components of a combo are items too. */
export const maxItemsOfOrder = 300;

/** Limits for one import of the menu. */
export const menuImport = { maxDishes: 500, maxKilobytes: 1024 } as const;

/** The image types that managers may upload and the server decodes. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const;
/**
 * Limits for the dish pictures that managers upload. Pictures are stored in the two `widths`, in pixels. A phone's photo has 12
 * to 25 megapixels.
 */
export const menuPictures = {
  maxMegabytes: 10,
  maxMegapixels: 25,
  /**
   * The limit for AVIF pictures. It is lower because decoding AVIF takes up to 26 bytes per pixel, four times as many as other
   * types.
   */
  maxAvifMegapixels: 9,
  /** The maximum number of scans in a progressive JPEG. Most have ten. */
  maxScans: 100,
  widths: { small: 400, large: 1200 },
  /** The highest number of pictures that one restaurant can store. */
  max: 1000,
  /** The maximum number of stored pictures that belong to no dish. The oldest are deleted first. */
  maxUnused: 50,
} as const;

export const accessTokenMinutes = 15;
export const guestAccessTokenMinutes = 5;
/** How long a refresh token is still accepted after its first use, because the client may not have received the response. */
export const refreshRetrySeconds = 60;
export const minPasswordCharacters = 8;
/** The number of bytes at the start of a password in UTF-8 that bcrypt uses. It ignores the rest. */
export const maxPasswordBytes = 72;

/** The number of wrong PINs in a row after which the PIN is blocked. */
export const maxPinAttempts = 3;
export const pinBlockMinutes = 30;
/** How long an invitation link is valid. */
export const invitationHours = 72;
/** The maximum number of tables that one call can add. */
export const maxTablesPerCall = 200;
/** How long a setup code, with which the first manager is created, works. */
export const setupCodeHours = 24;
/** How many minutes ago, at most, a user must have signed in to create a PIN. */
export const recentSignInMinutes = 15;
export const resetApprovalMinutes = 15;
/** How long a user can't reset their PIN after another user has set their password. */
export const resetDelayHours = 24;
export const stepUpTokenSeconds = 120;

/** How long a sign-in on a shared tablet lasts: one shift. */
export const tabletSessionHours = 12;
/** After this many wrong tablet PINs on one tablet, a person must wait before they can try again. */
export const maxTabletPinAttempts = 5;
export const tabletPinBlockMinutes = 15;
/** After this many wrong PINs in a row, a person must set a new tablet PIN before they can sign in on that tablet. */
export const maxTabletPinFailures = 20;
/** The maximum number of wrong PINs on one tablet per hour, for all people together. */
export const maxTabletFailuresPerHour = 40;
/**
 * The limits for spending several step-up tokens in one call between services: the number of tokens, and the size of the body.
 * Each token takes 1 to 2 KB.
 */
export const stepUpLists = { maxTokens: 64, maxKilobytes: 128 } as const;
/** How long entries in the audit trail and security events are stored. */
export const auditDays = 180;

/** The default size limit for a JSON body. */
export const maxBodyKilobytes = 32;
/** The maximum nesting of objects and arrays in a body. */
export const maxJsonDepth = 32;
/** How long the response for an idempotency key is stored, at least. */
export const idempotencyKeyHours = 24;
