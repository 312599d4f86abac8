import { Schema } from "effect"
import { Told } from "../wire/Told.ts"
import { listingStatus } from "./ListingFields.ts"

export const Creator = Schema.Struct({
  id: Told.text("The creator's account, prefix `usr_`.", "usr_01j9zq5k2f8h3m6n7p0r4s"),
  name: Told.text("The creator's name.", "Ada")
}).annotate({ identifier: "Creator", description: "Who sells it." })

export const ListingStats = Schema.Struct({
  sales: Told.count("How often it was sold.", 12),
  rating: Told.number("Mean of the reviews, two decimals; 0 where there are none.", 4.5),
  reviews: Told.count("How many reviews there are.", 3)
}).annotate({ identifier: "ListingStats", description: "What it has sold and how it is judged." })

const itemFields = {
  id: Told.text("Prefix `lst_`.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  name: Told.text("What it is called.", "CSV Cleaner"),
  description: Told.text("What it does.", "Cleans and normalises CSV files of any size."),
  price: Told.number("In `currency`.", 12.5),
  currency: Told.text("The currency of the price.", "USD"),
  category: Told.text("The category's slug.", "data"),
  creator: Creator,
  stats: ListingStats
}

/** Specification 2.6. */
export const ListingItem = Schema.Struct(itemFields).annotate({
  identifier: "ListingItem",
  description: "A listing in a list."
})

const detailFields = {
  ...itemFields,
  slug: Told.text("Lowercase, hyphenated, unique, never changed.", "csv-cleaner"),
  longDescription: Told.textOrNull("Full Markdown description.", "# CSV Cleaner\n\nHandles quoting and encodings."),
  tags: Told.texts("Words to find it by.", ["csv", "etl"]),
  installUrl: Told.textOrNull(
    "Where to install it from; null unless the caller owns a license, is the creator, or the price is 0.",
    "https://github.com/ada/csv-cleaner"
  ),
  documentationUrl: Told.textOrNull("Its documentation.", "https://docs.example.com/csv-cleaner"),
  screenshots: Told.texts("Pictures of it.", ["https://cdn.example.com/csv-1.png"]),
  videoUrl: Told.textOrNull("A demo.", "https://cdn.example.com/csv.mp4"),
  status: listingStatus("Where the listing stands in its review."),
  createdAt: Told.time("When it was submitted."),
  updatedAt: Told.time("When it was last changed.")
}

/** Contract 3. */
export const ListingDetail = Schema.Struct(detailFields).annotate({
  identifier: "ListingDetail",
  description: "A listing with all its fields."
})

/** What an operator sees of a listing. */
export const AdminListing = Schema.Struct({
  ...detailFields,
  stats: Schema.optionalKey(ListingStats),
  rejectionReason: Told.textOrNull("Why it was rejected.", null),
  featured: Told.flag("Whether it is shown as featured.", false)
}).annotate({ identifier: "AdminListing", description: "A listing as an operator sees it." })

/** Specification 2.15. */
export const ListingList = Schema.Struct({
  listings: Schema.Array(ListingItem).annotate({ description: "The listings of the page." }),
  pagination: Schema.Struct({
    page: Told.count("The page, counted from 1.", 1),
    limit: Told.count("How many listings a page holds.", 20),
    total: Told.count("How many listings match; a search counts at most 1,000.", 1),
    pages: Told.count("How many pages there are; 0 when there is nothing.", 1)
  }).annotate({ description: "Which page of the list this is." })
}).annotate({ identifier: "ListingList", description: "A page of listings." })

/** Contract 3. */
export const Review = Schema.Struct({
  id: Told.text("Prefix `rev_`.", "rev_01j9zq5k2f8h3m6n7p0r4s"),
  listingId: Told.text("What is judged.", "lst_01j9zq5k2f8h3m6n7p0r4s"),
  author: Told.text("The name of who judges.", "Grace"),
  rating: Told.count("1 to 5.", 5),
  comment: Told.textOrNull("What was written besides.", "Did in minutes what took us days."),
  createdAt: Told.time("When it was first written."),
  updatedAt: Told.time("When it was last written.")
}).annotate({ identifier: "Review", description: "A licence holder's judgement." })

export const ReviewList = Schema.Struct({
  reviews: Schema.Array(Review).annotate({ description: "The reviews of the page, newest first." }),
  pagination: Schema.Struct({
    page: Told.count("The page, counted from 1.", 1),
    limit: Told.count("How many reviews a page holds.", 20),
    total: Told.count("How many reviews there are.", 1),
    pages: Told.count("How many pages there are; 0 when there is nothing.", 1)
  }).annotate({ description: "Which page of the list this is." })
}).annotate({ identifier: "ReviewList", description: "A page of reviews." })
