//! The types of the constructs, besides those of the standard library and of crates.
#![allow(dead_code)] // serde alone reads some members

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Of<T> {
    pub value: T,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Skipped<T> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<T>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Inner {
    pub c: i64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Outer {
    pub a: String,
    pub b: Inner,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Defaults {
    pub n: i64,
    pub tags: Vec<String>,
    pub inner: Inner,
}

impl Default for Defaults {
    fn default() -> Self {
        Self { n: 7, tags: vec!["a".into()], inner: Inner { c: 1 } }
    }
}

/// A thing with a name.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Thing", example = Described { a: "x".into() })]
pub struct Described {
    /// The name.
    #[schemars(example = &"x")]
    pub a: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Old {
    #[deprecated]
    #[serde(default)]
    a: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Renamed {
    pub user_id: i64,
    #[serde(rename = "display name", alias = "name")]
    pub name: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Directions {
    #[serde(rename(serialize = "out", deserialize = "in"))]
    pub a: String,
    #[serde(skip_deserializing)]
    pub read: i64,
    #[serde(skip_serializing, default)]
    pub written: i64,
    #[serde(skip)]
    pub hidden: i64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Closed {
    pub a: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Flattened {
    pub a: String,
    #[serde(flatten)]
    pub b: Inner,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Open {
    pub a: String,
    #[serde(flatten)]
    pub rest: BTreeMap<String, Value>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Counted {
    pub a: String,
    #[serde(flatten)]
    pub rest: BTreeMap<String, i64>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct WithPet {
    pub a: String,
    #[serde(flatten)]
    pub pet: Pet,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Tree {
    pub name: String,
    #[serde(default)]
    pub children: Vec<Tree>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Chain {
    pub name: String,
    pub next: Option<Box<Chain>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Newtype(pub String);

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Transparent {
    pub inner: Inner,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Pair(pub String, pub i64);

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Unit;

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Empty {}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct Converted(String);

impl From<String> for Converted {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<Converted> for String {
    fn from(converted: Converted) -> Self {
        converted.0
    }
}

impl Clone for Converted {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Attributes that schemars shares with validating crates.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Validated {
    #[schemars(length(min = 1, max = 9))]
    pub length: String,
    #[schemars(regex(pattern = r"^[a-z]+-\d{2}$"))]
    pub pattern: String,
    #[schemars(range(min = 1, max = 100))]
    pub range: i64,
    #[schemars(email)]
    pub email: String,
    #[schemars(url)]
    pub url: String,
    #[schemars(length(equal = 2), inner(range(min = 0)))]
    pub list: Vec<i64>,
    #[schemars(contains(pattern = "/"))]
    pub path: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Extended {
    #[schemars(extend("format" = "hostname", "x-order" = 1))]
    pub value: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct As {
    #[schemars(with = "BTreeMap<String, i64>")]
    pub value: Value,
}

#[derive(Serialize, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "kebab-case")]
pub enum Color {
    Red,
    DarkBlue,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub enum Documented {
    /// The low one.
    Low,
    /// The high one.
    High,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub enum External {
    Nothing,
    One(i64),
    Two(String, i64),
    Named { a: String },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Pet {
    Cat { lives: i64 },
    Dog { name: String },
    Fish,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "data")]
pub enum Adjacent {
    Text(String),
    Point { x: f64, y: f64 },
    Nothing,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Untagged {
    Number(i64),
    Text(String),
    Inner(Inner),
}
